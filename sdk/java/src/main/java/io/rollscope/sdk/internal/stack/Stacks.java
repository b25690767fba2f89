package io.rollscope.sdk.internal.stack;

import io.rollscope.sdk.internal.span.RecordedSpan;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Answers the server's questions where open spans stand: once for a span, and so often a minute.
 * The sender tells it which spans the server knows as open; all of it is that one thread's.
 */
public final class Stacks {
  /** What contracts.md 3.20 allows a process. */
  static final int MOST_A_MINUTE = 6;

  /** A question names at most six spans; whoever asks for more is no Rollscope. */
  private static final int MAX_QUESTION = 1_000;

  private final LongSupplier ticksNs;
  private final Map<Long, WeakReference<RecordedSpan>> open = new HashMap<>();
  private final Deque<Long> answered = new ArrayDeque<>();

  /**
   * @param ticksNs a clock that never jumps
   */
  public Stacks(LongSupplier ticksNs) {
    this.ticksNs = ticksNs;
  }

  /** The server is told that this span is open. */
  public void opened(RecordedSpan span) {
    open.put(span.origin().spanId(), new WeakReference<>(span));
  }

  /** The server is told that it has ended. */
  public void ended(RecordedSpan span) {
    open.remove(span.origin().spanId());
  }

  /** Lets go of spans whose end found no room in the buffer, and of those that nobody will end. */
  public void tidy() {
    open.values().removeIf(reference -> !isOpen(reference.get()));
  }

  private static boolean isOpen(RecordedSpan span) {
    return span != null && span.isRecording();
  }

  /**
   * The stacks of those of the spans that are open and of which none was recorded.
   *
   * @param wanted ids with commas between them
   */
  public List<StackRecord> answer(String wanted, long nowNs) {
    List<StackRecord> found = new ArrayList<>();
    for (String id : wanted.substring(0, Math.min(wanted.length(), MAX_QUESTION)).split(",")) {
      WeakReference<RecordedSpan> reference = open.get(number(id));
      RecordedSpan span = reference == null ? null : reference.get();
      if (isOpen(span) && mayAnswer()) {
        ended(span);
        String frames = Frames.of(span.worksIn());
        if (!frames.isEmpty()) {
          found.add(new StackRecord(span, nowNs, frames));
        }
      }
    }
    return found;
  }

  private static long number(String id) {
    try {
      return Long.parseUnsignedLong(id.strip(), 16);
    } catch (NumberFormatException e) {
      return 0; // No span has it.
    }
  }

  private boolean mayAnswer() {
    long now = ticksNs.getAsLong();
    while (!answered.isEmpty() && now - answered.peek() >= TimeUnit.MINUTES.toNanos(1)) {
      answered.remove();
    }
    return answered.size() < MOST_A_MINUTE && answered.add(now);
  }
}
