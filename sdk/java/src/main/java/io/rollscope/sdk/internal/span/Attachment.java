package io.rollscope.sdk.internal.span;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;

/**
 * That a span is the current one of a thread. OpenTelemetry's scopes must be closed by their thread
 * and inside out; people close phases on other threads and in any order. Then the thread puts it
 * right later: when the inner one is closed, or the next one begins.
 */
final class Attachment {
  private final Thread thread = Thread.currentThread();
  private final Scope scope;
  private volatile boolean over;

  @SuppressWarnings("MustBeClosedChecker") // Closed in tidy(), by the thread that may.
  Attachment(Context context) {
    scope = context.makeCurrent();
  }

  void end() {
    over = true;
    if (Thread.currentThread() == thread) {
      tidy();
    }
  }

  boolean isOver() {
    return over;
  }

  private boolean isStale() {
    return over && Thread.currentThread() == thread;
  }

  /** Lets go of everything of this thread that is over. */
  static Context tidy() {
    Context current = Context.current();
    while (Span.fromContextOrNull(current) instanceof RecordedSpan span
        && isStale(span.attachment())) {
      Context before = current;
      span.attachment().scope.close();
      current = Context.current();
      if (current == before) {
        break; // Somebody made a context of their own out of it and still has it.
      }
    }
    return current;
  }

  static boolean isStale(Attachment attachment) {
    return attachment != null && attachment.isStale();
  }
}
