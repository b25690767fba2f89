package io.rollscope.server.receive;

import io.rollscope.otlp.Signal;
import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.Reduction;
import io.rollscope.otlp.record.Request;
import io.rollscope.store.Receipt;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A request that is durable, except for what was refused of it.
 *
 * @param rejected how many spans, log records or data points
 * @param message what was refused and why, or a warning when nothing was; empty as a rule
 * @param wantedStacks ids of spans of which the sender of a beat is asked for the stacks, or null
 */
record Taken(long rejected, String message, String wantedStacks) {
  /** Of an answer to a beat: the spans of which stacks are wanted (contracts.md 3.20). */
  static final String WANT_STACK = "rollscope-want-stack";

  private static final int MAX_MESSAGE_BYTES = 1_000;

  static Taken of(Signal signal, Request request, Receipt receipt) {
    Map<String, Long> reasons = new TreeMap<>(request.rejected());
    receipt.refused().forEach((reason, count) -> reasons.merge(reason, count, Long::sum));
    long rejected = reasons.values().stream().mapToLong(Long::longValue).sum();
    List<String> message = new ArrayList<>();
    if (rejected > 0) {
      message.add(rejection(signal, rejected, reasons));
    }
    if (request.repaired() > 0) {
      message.add(repair(request.repaired()));
    }
    Reduction reduction = request.reduction();
    if (reduction.leftOut() > 0) {
      message.add(
          counted(reduction.leftOut(), "attribute")
              + " left out (expected: at most "
              + Attributes.MAX_COUNT
              + " each)");
    }
    if (reduction.cut() > 0) {
      message.add(
          counted(reduction.cut(), "attribute")
              + " cut (expected: at most "
              + Attributes.MAX_VALUE_BYTES
              + " bytes, of a name or id 1024)");
    }
    return new Taken(rejected, bounded(String.join("; ", message)), ids(receipt.wantedStacks()));
  }

  private static String ids(List<Long> spans) {
    return spans.isEmpty()
        ? null
        : spans.stream().map(id -> HexFormat.of().toHexDigits(id)).collect(Collectors.joining(","));
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
