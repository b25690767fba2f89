package io.rollscope.server.receive;

import io.rollscope.otlp.Signal;
import io.rollscope.otlp.record.Request;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A request that is durable, except for what was refused of it.
 *
 * @param rejected how many spans, log records or data points
 * @param message what was refused and why, or a warning when nothing was; empty as a rule
 */
record Taken(long rejected, String message) {
  static final Taken WHOLE = new Taken(0, "");
  private static final int MAX_MESSAGE_BYTES = 1_000;

  static Taken of(Signal signal, Request request, Map<String, Long> refusedByStore) {
    Map<String, Long> reasons = new TreeMap<>(request.rejected());
    refusedByStore.forEach((reason, count) -> reasons.merge(reason, count, Long::sum));
    long rejected = reasons.values().stream().mapToLong(Long::longValue).sum();
    if (rejected > 0) {
      return new Taken(rejected, bounded(rejection(signal, rejected, reasons)));
    }
    if (request.repaired() > 0) {
      return new Taken(0, repair(request.repaired()));
    }
    return WHOLE;
  }

  private static String rejection(Signal signal, long rejected, Map<String, Long> reasons) {
    return counted(rejected, item(signal))
        + " rejected: "
        + reasons.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .map(e -> e.getValue() + " × " + e.getKey())
            .collect(Collectors.joining(", "));
  }

  private static String repair(long repaired) {
    return counted(repaired, "span")
        + " repaired: end before start (expected: end >= start); kept with zero length";
  }

  private static String counted(long count, String item) {
    return count + " " + item + (count == 1 ? "" : "s");
  }

  private static String item(Signal signal) {
    return switch (signal) {
      case TRACES -> "span";
      case LOGS -> "log record";
      case METRICS -> "data point";
    };
  }

  private static String bounded(String message) {
    byte[] utf8 = message.getBytes(StandardCharsets.UTF_8);
    if (utf8.length <= MAX_MESSAGE_BYTES) {
      return message;
    }
    int end = MAX_MESSAGE_BYTES - 3;
    while ((utf8[end] & 0xC0) == 0x80) {
      end--;
    }
    return new String(utf8, 0, end, StandardCharsets.UTF_8) + "…";
  }
}
