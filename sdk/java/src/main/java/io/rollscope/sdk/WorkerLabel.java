package io.rollscope.sdk;

import io.opentelemetry.api.trace.Span;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names a worker in a word: {@code role} or {@code role:rank}. */
final class WorkerLabel {
  private static final Pattern LABEL = Pattern.compile("(.{1,256}?)(?::([0-9]{1,18}))?");

  private WorkerLabel() {}

  /** Says who did a span; false if that is no name of a worker. */
  static boolean set(Span span, String label) {
    Matcher parts = LABEL.matcher(label == null ? "" : label.strip());
    if (!parts.matches() || parts.group(1).endsWith(":")) {
      return false;
    }
    span.setAttribute("rl.worker.role", parts.group(1));
    if (parts.group(2) != null) {
      span.setAttribute("rl.worker.rank", Long.parseLong(parts.group(2)));
    }
    return true;
  }
}
