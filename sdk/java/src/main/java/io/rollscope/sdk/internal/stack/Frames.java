package io.rollscope.sdk.internal.stack;

import java.util.Set;

/** What a thread is doing, in text: neither arguments nor locals are looked at. */
final class Frames {
  /** What contracts.md 3.20 allows is 64 and 8,192. */
  static final int MAX = 64;

  static final int MAX_TEXT = 8_000;

  /** Of a function's name its end is kept, so that many frames have room. */
  private static final int MAX_NAME = 200;

  private static final String OWN = "io.rollscope.sdk.";

  /** A thread of a pool that waits for something to do stands in one of these. */
  private static final Set<String> IDLE =
      Set.of(
          "java.util.concurrent.ThreadPoolExecutor.getTask",
          "java.util.concurrent.ForkJoinPool.awaitWork");

  private Frames() {}

  /**
   * Innermost first, as many as may be sent; empty if there is nothing to say.
   *
   * @param thread or null
   */
  static String of(Thread thread) {
    return thread == null ? "" : of(thread.getStackTrace());
  }

  static String of(StackTraceElement[] stack) {
    StringBuilder text = new StringBuilder();
    int frames = 0;
    boolean full = false;
    for (StackTraceElement frame : stack) {
      String function = frame.getClassName() + "." + frame.getMethodName();
      if (IDLE.contains(function)) {
        return ""; // What a span once began here goes on elsewhere, or nowhere.
      }
      String line = line(function, frame);
      full |= frames == MAX || text.length() + line.length() + 1 > MAX_TEXT;
      if (!full && !function.startsWith(OWN)) {
        text.append(frames++ == 0 ? "" : "\n").append(line);
      }
    }
    return text.toString();
  }

  private static String line(String function, StackTraceElement frame) {
    String file = frame.getFileName() == null ? "unknown" : frame.getFileName();
    return end(function.replaceAll("\\s", "_"))
        + " "
        + end(file.replaceAll("\\s", "_"))
        + ":"
        + Math.max(0, frame.getLineNumber());
  }

  private static String end(String name) {
    return name.substring(Math.max(0, name.length() - MAX_NAME));
  }
}
