package io.rollscope.benchmarks.load;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * What is sent where, and how fast.
 *
 * @param transport {@code http}, {@code grpc} or {@code none}
 * @param batch spans of a request
 * @param spans after how many to stop, about; 0 for after {@code seconds}
 * @param rate spans a second of all connections; 0 for as many as are acknowledged
 * @param varied whether some spans fail and sessions have verdicts
 * @param open start records of spans that never end, instead of spans
 * @param calendar with {@code --spacing-us} sessions end one after the other, the last one now;
 *     without it, each ends when it is sent
 */
record LoadOptions(
    String transport,
    String format,
    String host,
    int port,
    String run,
    int connections,
    int batch,
    long seconds,
    long warmupSeconds,
    long spans,
    long rate,
    boolean varied,
    int open,
    long seed,
    SpanValues.Calendar calendar) {

  /** Reads {@code --NAME VALUE …}; without a seed, the time makes ids differ between runs. */
  static LoadOptions parse(long nowNs, String... args) {
    Map<String, String> given = new TreeMap<>();
    for (int i = 0; i < args.length; i += 2) {
      if (!args[i].startsWith("--") || i + 1 == args.length) {
        throw new IllegalArgumentException("argument: " + args[i] + " (expected: --NAME VALUE)");
      }
      given.put(args[i].substring(2), args[i + 1]);
    }
    long spans = number(given, "spans", 0);
    long spacing = TimeUnit.MICROSECONDS.toNanos(number(given, "spacing-us", 0));
    SpanValues.Calendar calendar =
        new SpanValues.Calendar(
            (int) number(given, "sessions-per-step", 4_096),
            (int) number(given, "steps", 8),
            spacing == 0 ? 0 : nowNs - spans / SessionSpan.COUNT * spacing,
            spacing);
    LoadOptions options =
        new LoadOptions(
            text(given, "transport", "http"),
            text(given, "format", "otlp"),
            text(given, "host", "127.0.0.1"),
            (int) number(given, "port", 4318),
            text(given, "run", "benchmark"),
            (int) number(given, "connections", 8),
            (int) number(given, "batch", 500),
            number(given, "seconds", 10),
            number(given, "warmup", 0),
            spans,
            number(given, "rate", 0),
            number(given, "varied", 0) != 0,
            (int) number(given, "open", 0),
            number(given, "seed", nowNs),
            calendar);
    if (!given.isEmpty()) {
      throw new IllegalArgumentException("unknown options: " + given.keySet());
    }
    return options;
  }

  private static String text(Map<String, String> given, String name, String otherwise) {
    String value = given.remove(name);
    return value == null ? otherwise : value;
  }

  private static long number(Map<String, String> given, String name, long otherwise) {
    String value = given.remove(name);
    return value == null ? otherwise : Long.parseLong(value);
  }

  /** How many sets of nine batches to send at most. */
  long sets() {
    return spans == 0 ? Long.MAX_VALUE : Math.max(1, spans / ((long) batch * SessionSpan.COUNT));
  }

  /** When a connection has to send its next request, so that all keep to the rate. */
  long intervalNs() {
    return rate == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) * batch * connections / rate;
  }
}
