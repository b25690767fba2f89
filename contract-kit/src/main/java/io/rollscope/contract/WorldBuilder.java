package io.rollscope.contract;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
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
