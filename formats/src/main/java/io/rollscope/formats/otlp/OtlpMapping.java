package io.rollscope.formats.otlp;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.core.table.Interner;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.time.Nanos;
import io.rollscope.formats.folder.TraceFile;
import io.rollscope.formats.otlp.OtlpParser.RawSpan;
import io.rollscope.formats.scan.BadLineException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;

/** What the attributes of a span mean: {@code rl.*}, {@code xtuner.*} and RL-Insight's names. */
final class OtlpMapping {
  private final Interner<SpanName> names = new Interner<>();
  private final Interner<Coordinates> places = new Interner<>();

  OtlpSpan understand(RawSpan raw, Map<String, String> resource, TraceFile file, long offset)
      throws BadLineException {
    if (raw.wrong != null) {
      throw raw.wrong;
    }
    byte[] trace = hex("traceId", raw.traceId, 16);
    long id = number(hex("spanId", raw.spanId, 8), 0);
    long parent =
        raw.parentId.isEmpty() ? 0 : number(hex("parentSpanId", raw.parentId, 8, true), 0);
    long traceHigh = number(trace, 0);
    long traceLow = number(trace, 8);
    if (raw.name == null || raw.name.isEmpty()) {
      throw new BadLineException("no name (expected: a span's name)");
    }
    if (raw.start == 0) {
      throw new BadLineException("startTimeUnixNano: 0 (expected: when the span began)");
    }
    Lookup at = new Lookup(raw.attributes, resource);
    Kind kind = kind(at.get("rl.kind"));
    String lane = at.get("rl.lane", "state_lane_id");
    boolean alone =
        lane != null
            || (kind != Kind.PHASE && kind != Kind.SESSION)
            || at.get("monitor.trace_segment") != null;
    String error = error(raw);
    String status = at.get("rl.status");
    return new OtlpSpan(
        traceHigh,
        traceLow,
        id,
        parent,
        names.get(names.intern(new SpanName(raw.name, stage(at, raw.name)))),
        kind,
        raw.start,
        raw.end == 0 ? Nanos.OPEN : Math.max(raw.start, raw.end),
        outcome(raw, error),
        error,
        coordinates(at),
        run(at, file.runGiven()),
        at.get("service.name"),
        session(at),
        lane,
        alone,
        kind == Kind.SESSION && status != null ? status(status) : null,
        at.get("rl.reason"),
        file.number(),
        offset);
  }

  /** Span attributes first, then the resource's. */
  private record Lookup(Map<String, String> span, Map<String, String> resource) {
    String get(String... keys) {
      for (String key : keys) {
        String value = span.get(key);
        if (value != null) {
          return value;
        }
      }
      for (String key : keys) {
        String value = resource.get(key);
        if (value != null) {
          return value;
        }
      }
      return null;
    }

    Long integer(String... keys) {
      String text = get(keys);
      try {
        return text == null ? null : Long.valueOf(text);
      } catch (NumberFormatException e) {
        return null;
      }
    }
  }

  private static byte[] hex(String field, String text, int bytes) throws BadLineException {
    return hex(field, text, bytes, false);
  }

  private static byte[] hex(String field, String text, int bytes, boolean zeroAllowed)
      throws BadLineException {
    String expected = 2 * bytes + " hex digits, not all zero";
    if (text.length() != 2 * bytes) {
      throw BadLineException.expected(field, '"' + text + '"', expected);
    }
    try {
      byte[] value = HexFormat.of().parseHex(text);
      for (byte b : value) {
        if (b != 0 || zeroAllowed) {
          return value;
        }
      }
    } catch (IllegalArgumentException e) {
      // Reported below.
    }
    throw BadLineException.expected(field, '"' + text + '"', expected);
  }

  private static long number(byte[] bytes, int from) {
    long value = 0;
    for (int i = from; i < from + 8; i++) {
      value = value << 8 | (bytes[i] & 0xff);
    }
    return value;
  }

  private static Kind kind(String word) {
    for (Kind kind : Kind.values()) {
      if (kind.word().equals(word)) {
        return kind;
      }
    }
    return Kind.PHASE;
  }

  private static Status status(String word) {
    try {
      return Status.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static String stage(Lookup at, String name) {
    String given = at.get("rl.stage", "xtuner.stage", "stage.name", "state_name");
    return given == null || given.isEmpty() ? name : given;
  }

  private static Outcome outcome(RawSpan raw, String error) {
    if (raw.end == 0) {
      return Outcome.OPEN;
    }
    boolean cancelled = error != null && error.contains("CancelledError");
    if (cancelled) {
      return Outcome.CANCELLED;
    }
    return raw.failed() ? Outcome.ERROR : Outcome.OK;
  }

  private static String error(RawSpan raw) {
    if (!raw.failed()) {
      return null;
    }
    String type = raw.attributes.getOrDefault("error.type", raw.exception.get("exception.type"));
    String message =
        raw.attributes.getOrDefault("error.message", raw.exception.get("exception.message"));
    if (message == null) {
      message = raw.statusMessage;
    }
    if (type == null) {
      return message == null ? "error" : message;
    }
    return message == null ? type : type + ": " + message;
  }

  private Coordinates coordinates(Lookup at) {
    Long train =
        at.integer("rl.train_step", "xtuner.producer_future_step", "global_steps", "train.step");
    Coordinates c =
        new Coordinates(
            at.get("rl.batch.id"),
            train,
            at.integer("rl.model_step"),
            at.integer("rl.future_step"),
            at.get("rl.task.id", "xtuner.group_id", "sample"),
            at.get("rl.task.name", "xtuner.task_name"),
            new Worker(at.get("rl.worker.role"), at.integer("rl.worker.rank")),
            at.get("rl.status", "xtuner.status"));
    return places.get(places.intern(c));
  }

  private static String run(Lookup at, String given) {
    String run = at.get("rl.run.id", "run.id");
    if (run != null) {
      return run;
    }
    String project = at.get("project");
    String experiment = at.get("experiment_name");
    return project == null || experiment == null ? given : project + "/" + experiment;
  }

  private static String session(Lookup at) {
    String session = at.get("rl.session.id", "xtuner.rollout_id");
    if (session != null) {
      return session;
    }
    String sample = at.get("sample");
    String inner = at.get("session");
    String trajectory = at.get("traj");
    boolean whole = sample != null && inner != null && trajectory != null;
    return whole ? sample + "/" + inner + "/" + trajectory : null;
  }
}
