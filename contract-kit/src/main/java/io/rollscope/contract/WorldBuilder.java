package io.rollscope.contract;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes a world record by record, one export request each. */
public final class WorldBuilder {
  /** When worlds begin: long ago, so that none is live. */
  public static final long T0 = 1_750_000_000_000_000_000L;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String name;
  private final List<String> lines = new ArrayList<>();

  /**
   * @param name of the world, and of its run
   */
  public WorldBuilder(String name) {
    this.name = name;
  }

  /** Nanoseconds of a moment in seconds since {@link #T0}. */
  public static long at(double seconds) {
    return T0 + Math.round(seconds * 1e9);
  }

  /** A process of this run. */
  public WorldProcess process(String instance, Object... attributes) {
    Map<String, Object> resource = pairs("rl.run.id", name, "service.name", "trainer");
    resource.put("service.instance.id", name + "/" + instance);
    resource.putAll(pairs(attributes));
    return new WorldProcess(resource);
  }

  /** A process that knows nothing but these attributes. */
  public WorldProcess stranger(Object... attributes) {
    return new WorldProcess(pairs(attributes));
  }

  /** A rollout worker of this run. */
  public WorldProcess worker(int rank) {
    return process(
        "rollout-" + rank,
        "rl.worker.role",
        "rollout",
        "rl.worker.rank",
        rank,
        "host.name",
        "node-" + rank / 2,
        "process.pid",
        1_000 + rank);
  }

  public World build() {
    return build(name);
  }

  /** The world, with another run to be asked about. */
  public World build(String run) {
    return new World(name, run, List.copyOf(lines), null);
  }

  /** The id of a trace of this world. */
  public String trace(long number) {
    return String.format("%016x%016x", (long) name.hashCode() & 0xffffffffL | 1L << 32, number);
  }

  static String span(long number) {
    return String.format("%016x", number);
  }

  static Map<String, Object> pairs(Object... keysAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return map;
  }

  private static List<Object> attributes(Map<String, Object> values) {
    List<Object> list = new ArrayList<>();
    values.forEach(
        (key, value) -> {
          Object any;
          if (value instanceof Integer || value instanceof Long) {
            any = Map.of("intValue", value.toString());
          } else if (value instanceof Double) {
            any = Map.of("doubleValue", value);
          } else if (value instanceof Boolean) {
            any = Map.of("boolValue", value);
          } else {
            any = Map.of("stringValue", value);
          }
          list.add(Map.of("key", key, "value", any));
        });
    return list;
  }

  private static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** One process, which records. Times are seconds after {@link #T0}. */
  public final class WorldProcess {
    private final Map<String, Object> resource;

    private WorldProcess(Map<String, Object> resource) {
      this.resource = resource;
    }

    /** A span; one with a negative end is open. */
    public WorldProcess span(
        long trace, long id, long parent, String span, double from, double to, Object... more) {
      return exact(trace, id, parent, span, at(from), to < 0 ? 0 : at(to), null, more);
    }

    /** A span that failed. */
    public WorldProcess failed(
        long trace, long id, long parent, String span, double from, double to, String error) {
      return exact(trace, id, parent, span, at(from), at(to), error);
    }

    /**
     * A span to the nanosecond.
     *
     * @param error its message, or null
     */
    public WorldProcess exact(
        long trace,
        long id,
        long parent,
        String span,
        long fromNs,
        long toNs,
        String error,
        Object... more) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("traceId", trace(trace));
      one.put("spanId", WorldBuilder.span(id));
      one.put("parentSpanId", parent == 0 ? "" : WorldBuilder.span(parent));
      one.put("name", span);
      one.put("startTimeUnixNano", Long.toString(fromNs));
      one.put("endTimeUnixNano", Long.toString(toNs));
      Map<String, Object> said = pairs(more);
      if (error != null) {
        said.put("error.type", error);
        one.put("status", Map.of("code", 2, "message", error + " happened"));
      }
      one.put("attributes", attributes(said));
      lines.add(
          json(
              Map.of(
                  "resourceSpans",
                  List.of(
                      Map.of(
                          "resource",
                          Map.of("attributes", attributes(resource)),
                          "scopeSpans",
                          List.of(Map.of("spans", List.of(one))))))));
      return this;
    }

    /** A span begins. */
    public WorldProcess start(
        long trace, long id, long parent, String span, double from, Object... more) {
      Map<String, Object> said = pairs("rollscope.span.name", span);
      if (parent != 0) {
        said.put("rollscope.span.parent_id", WorldBuilder.span(parent));
      }
      said.putAll(pairs(more));
      return record("rollscope.span.start", at(from), trace(trace), WorldBuilder.span(id), said);
    }

    /** What became of a session. */
    public WorldProcess verdict(
        long trace, long id, double at, String status, String reason, Object... more) {
      Map<String, Object> said = pairs("rl.status", status);
      if (reason != null) {
        said.put("rl.reason", reason);
      }
      said.putAll(pairs(more));
      return record("rollscope.session.final", at(at), trace(trace), WorldBuilder.span(id), said);
    }

    /** What a session earned or used, got known later. */
    public WorldProcess fact(long trace, long id, double at, Object... said) {
      return record(
          "rollscope.session.final", at(at), trace(trace), WorldBuilder.span(id), pairs(said));
    }

    /** A sign of life. */
    public WorldProcess beat(double at, int open, int dropped) {
      return record("rollscope.beat", at(at), null, null, life(open, dropped));
    }

    /** The process ends. */
    public WorldProcess end(double at, int open) {
      return record("rollscope.process.end", at(at), null, null, life(open, 0));
    }

    private Map<String, Object> life(int open, int dropped) {
      return pairs("rollscope.open_spans", open, "rollscope.dropped.spans", dropped);
    }

    /** A value; one that is a text is as JSON writes what is no number. */
    public WorldProcess gauge(String metric, double at, Object value, Object... labels) {
      return point(metric, "gauge", Map.of(), at, pairs("asDouble", value), labels);
    }

    /** The series has no value any more. */
    public WorldProcess stale(String metric, double at, Object... labels) {
      return point(metric, "gauge", Map.of(), at, pairs("flags", 1), labels);
    }

    /** Where something stands that only grows. */
    public WorldProcess counter(
        String metric, double start, double at, double value, Object... labels) {
      return point(metric, "sum", sum(2), at, since(start, "asDouble", value), labels);
    }

    /** By how much it grew. */
    public WorldProcess increment(
        String metric, double start, double at, double value, Object... labels) {
      return point(metric, "sum", sum(1), at, since(start, "asDouble", value), labels);
    }

    private Map<String, Object> sum(int temporality) {
      return pairs("aggregationTemporality", temporality, "isMonotonic", true);
    }

    private Map<String, Object> since(double start, Object... values) {
      Map<String, Object> since = pairs("startTimeUnixNano", Long.toString(at(start)));
      since.putAll(pairs(values));
      return since;
    }

    /** Observations up to 1, 2, 5 and beyond. */
    public WorldProcess histogram(
        String metric,
        boolean increments,
        double start,
        double at,
        long[] counts,
        Object... labels) {
      long all = Arrays.stream(counts).sum();
      return point(
          metric,
          "histogram",
          pairs("aggregationTemporality", increments ? 1 : 2),
          at,
          since(
              start,
              "count",
              Long.toString(all),
              "sum",
              1.5 * all,
              "explicitBounds",
              List.of(1.0, 2.0, 5.0),
              "bucketCounts",
              Arrays.stream(counts).mapToObj(Long::toString).toList()),
          labels);
    }

    /** Observations in two buckets next to each other. */
    public WorldProcess exponential(
        String metric, double start, double at, long each, int scale, Object... labels) {
      String count = Long.toString(each);
      return point(
          metric,
          "exponentialHistogram",
          pairs("aggregationTemporality", 2),
          at,
          since(
              start,
              "count",
              Long.toString(2 * each),
              "sum",
              3.0 * each,
              "scale",
              scale,
              "positive",
              pairs("offset", 1, "bucketCounts", List.of(count, count))),
          labels);
    }

    private WorldProcess point(
        String metric,
        String kind,
        Map<String, Object> about,
        double at,
        Map<String, Object> values,
        Object... labels) {
      Map<String, Object> point = new LinkedHashMap<>(values);
      point.put("timeUnixNano", Long.toString(at(at)));
      point.put("attributes", attributes(pairs(labels)));
      Map<String, Object> data = new LinkedHashMap<>(about);
      data.put("dataPoints", List.of(point));
      lines.add(
          json(
              Map.of(
                  "resourceMetrics",
                  List.of(
                      Map.of(
                          "resource",
                          Map.of("attributes", attributes(resource)),
                          "scopeMetrics",
                          List.of(
                              Map.of("metrics", List.of(Map.of("name", metric, kind, data)))))))));
      return this;
    }

    private WorldProcess record(
        String event, long timeNs, String trace, String span, Map<String, Object> said) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("timeUnixNano", Long.toString(timeNs));
      one.put("eventName", event);
      if (trace != null) {
        one.put("traceId", trace);
        one.put("spanId", span);
      }
      one.put("attributes", attributes(said));
      lines.add(
          json(
              Map.of(
                  "resourceLogs",
                  List.of(
                      Map.of(
                          "resource",
                          Map.of("attributes", attributes(resource)),
                          "scopeLogs",
                          List.of(Map.of("logRecords", List.of(one))))))));
      return this;
    }
  }
}
