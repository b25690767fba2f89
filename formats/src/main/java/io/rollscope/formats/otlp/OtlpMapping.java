package io.rollscope.formats.otlp;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.core.stats.Counters;
import io.rollscope.core.table.Interner;
import io.rollscope.core.table.ProcessSign;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.time.Nanos;
import io.rollscope.formats.folder.TraceFile;
import io.rollscope.formats.scan.BadLineException;
import io.rollscope.otlp.Failure;
import io.rollscope.otlp.Identity;
import io.rollscope.otlp.Key;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;

/** What the attributes of a span mean: {@code rl.*}, {@code xtuner.*} and RL-Insight's names. */
final class OtlpMapping {
  private final Interner<SpanName> names = new Interner<>();
  private final Interner<Coordinates> places = new Interner<>();

  /** The three ids of an item. */
  private record Ids(long traceHigh, long traceLow, long span, long parent) {
    static Ids of(RawItem raw, String parentField) throws BadLineException {
      byte[] trace = hex("traceId", raw.traceId, 16);
      long span = number(hex("spanId", raw.spanId, 8), 0);
      long parent = raw.parentId.isEmpty() ? 0 : number(hex(parentField, raw.parentId, 8, true), 0);
      return new Ids(number(trace, 0), number(trace, 8), span, parent);
    }
  }

  OtlpSpan span(RawItem raw, Map<String, String> resource, TraceFile file, long offset)
      throws BadLineException {
    return span(raw, Ids.of(raw, "parentSpanId"), resource, file, offset);
  }

  /** A span of which only the beginning is known. */
  OtlpSpan start(RawItem raw, Map<String, String> resource, TraceFile file, long offset)
      throws BadLineException {
    raw.name = raw.attributes.remove(Key.SPAN_NAME.text());
    String parent = raw.attributes.remove(Key.SPAN_PARENT.text());
    raw.parentId = parent == null ? "" : parent;
    return span(raw, Ids.of(raw, Key.SPAN_PARENT.text()), resource, file, offset);
  }

  private OtlpSpan span(
      RawItem raw, Ids ids, Map<String, String> resource, TraceFile file, long offset)
      throws BadLineException {
    if (raw.name == null || raw.name.isEmpty()) {
      throw new BadLineException("no name (expected: a span's name)");
    }
    if (raw.start == 0) {
      throw new BadLineException("start time: 0 (expected: when the span began)");
    }
    Identity at = identity(raw, resource);
    Kind kind = at.kind();
    String lane = at.lane();
    String status = at.status();
    String run = at.run();
    Failure failure = raw.failed() ? failure(raw, status) : null;
    return new OtlpSpan(
        ids.traceHigh(),
        ids.traceLow(),
        ids.span(),
        ids.parent(),
        names.get(names.intern(new SpanName(raw.name, stage(at, raw.name)))),
        kind,
        raw.start,
        raw.end == 0 ? Nanos.OPEN : Math.max(raw.start, raw.end),
        outcome(raw, failure),
        error(failure),
        coordinates(at),
        run != null ? run : file.runGiven(),
        resource.get(Key.SERVICE.text()),
        resource.get(Key.INSTANCE.text()),
        at.session(),
        lane,
        at.isAlone(kind, lane),
        kind == Kind.SESSION && status != null ? status(status) : null,
        at.reason(),
        kind == Kind.SESSION ? counters(raw.attributes) : Map.of(),
        file.number(),
        offset);
  }

  private static Map<String, Long> counters(Map<String, String> attributes) {
    Counters counters = new Counters();
    attributes.forEach(
        (key, value) -> {
          String name = Counters.nameOf(key);
          Long amount = name == null ? null : Identity.wholeNumber(value);
          if (amount != null) {
            counters.add(name, amount);
          }
        });
    return counters.sums().isEmpty() ? Map.of() : counters.sums();
  }

  private static Identity identity(RawItem raw, Map<String, String> resource) {
    return new Identity(key -> raw.attributes.get(key.text()), key -> resource.get(key.text()));
  }

  /** What a log record is about; older exporters say it in an attribute. */
  String event(RawItem raw) {
    boolean named = raw.name != null && !raw.name.isEmpty();
    return named ? raw.name : raw.attributes.getOrDefault(Key.EVENT_NAME.text(), "");
  }

  OtlpVerdict verdict(RawItem raw, Map<String, String> resource, TraceFile file)
      throws BadLineException {
    Ids ids = Ids.of(raw, "");
    Identity at = identity(raw, resource);
    if (at.status() == null) {
      throw new BadLineException("verdict without rl.status (expected: what became of it)");
    }
    return new OtlpVerdict(
        ids.traceHigh(),
        ids.traceLow(),
        ids.span(),
        time(raw),
        status(at.status()),
        at.reason(),
        at.run() != null ? at.run() : file.runGiven(),
        at.session(),
        resource.get(Key.SERVICE.text()));
  }

  OtlpSign sign(RawItem raw, Map<String, String> resource, TraceFile file, boolean end)
      throws BadLineException {
    String instance = resource.getOrDefault(Key.INSTANCE.text(), "");
    if (instance.isEmpty()) {
      throw new BadLineException("beat without service.instance.id (expected: its process)");
    }
    Identity at = identity(raw, resource);
    String run = at.run() != null ? at.run() : file.runGiven();
    ProcessSign process =
        new ProcessSign(
            instance,
            new Worker(at.workerRole(), at.workerRank()),
            resource.get(Key.HOST.text()),
            Identity.wholeNumber(resource.get(Key.PID.text())),
            time(raw),
            end,
            count(raw, Key.DROPPED_SPANS),
            count(raw, Key.DROPPED_STARTS),
            count(raw, Key.DROPPED_METRICS));
    String service = resource.get(Key.SERVICE.text());
    return new OtlpSign(
        process, run != null ? run : OtlpTraces.runOrUnknown(service), end, time(raw));
  }

  private static long count(RawItem raw, Key key) {
    Long value = Identity.wholeNumber(raw.attributes.get(key.text()));
    return value == null ? 0 : Math.max(0, value);
  }

  private static long time(RawItem raw) throws BadLineException {
    if (raw.start == 0) {
      throw new BadLineException("timeUnixNano: 0 (expected: when it happened)");
    }
    return raw.start;
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

  private static Status status(String word) {
    try {
      return Status.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static String stage(Identity at, String name) {
    String given = at.stage();
    return given == null ? name : given;
  }

  private static Outcome outcome(RawItem raw, Failure failure) {
    if (raw.end == 0) {
      return Outcome.OPEN;
    }
    return failure == null ? Outcome.OK : failure.outcome();
  }

  private static Failure failure(RawItem raw, String status) {
    String type =
        raw.attributes.getOrDefault(
            Key.ERROR_TYPE.text(), raw.exception.get(Key.EXCEPTION_TYPE.text()));
    String message =
        raw.attributes.getOrDefault(
            Key.ERROR_MESSAGE.text(), raw.exception.get(Key.EXCEPTION_MESSAGE.text()));
    return new Failure(type, message != null ? message : raw.statusMessage, status);
  }

  private static String error(Failure failure) {
    if (failure == null) {
      return null;
    }
    if (failure.type() == null) {
      return failure.message() == null ? "error" : failure.message();
    }
    return failure.message() == null ? failure.type() : failure.type() + ": " + failure.message();
  }

  private Coordinates coordinates(Identity at) {
    Coordinates c =
        new Coordinates(
            at.batch(),
            at.trainStep(),
            at.modelStep(),
            at.futureStep(),
            at.task(),
            at.taskName(),
            new Worker(at.workerRole(), at.workerRank()),
            at.sourceStatus());
    return places.get(places.intern(c));
  }
}
