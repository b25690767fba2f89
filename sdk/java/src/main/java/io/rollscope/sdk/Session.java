package io.rollscope.sdk;

import io.opentelemetry.context.Context;
import io.rollscope.sdk.internal.span.Book;
import io.rollscope.sdk.internal.span.Failures;
import io.rollscope.sdk.internal.span.RecordedSpan;
import io.rollscope.sdk.internal.span.Values;
import io.rollscope.sdk.internal.span.Verdict;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One rollout. What became of it is said at any time, also after it was closed; the last word
 * counts. Without a word, a session that ran by {@link #call} or {@link #run} is closed as its
 * exception says, and any other one counts as completed.
 */
public final class Session extends Work<Session> {
  static final Session OFF = new Session();
  private static final int MAX_COUNTERS = 64;
  private static final int MAX_REASON = 500;

  private final Book book;
  private final Map<String, Long> counters = new LinkedHashMap<>();
  private boolean judged;
  private boolean closed;

  private Session() {
    book = null;
  }

  Session(RecordedSpan span, Context context, Book book) {
    super(span, context);
    this.book = book;
  }

  @Override
  Session self() {
    return this;
  }

  public Session accepted() {
    return judge("accepted", null);
  }

  public Session rejected(String reason) {
    return judge("rejected", reason);
  }

  public Session dropped(String reason) {
    return judge("dropped", reason);
  }

  public Session cancelled(String reason) {
    return judge("cancelled", reason);
  }

  public Session failed(String reason) {
    return judge("failed", reason);
  }

  @Override
  public Session failed(Throwable error) {
    if (!isOff() && error != null) {
      super.failed(error);
      judge("failed", Failures.reason(Failures.unwrapped(error)));
    }
    return this;
  }

  @Override
  void threw(Throwable error) {
    super.failed(error);
    synchronized (this) {
      if (judged) {
        return;
      }
    }
    Throwable cause = Failures.unwrapped(error);
    judge(Failures.isCancellation(cause) ? "cancelled" : "failed", Failures.reason(cause));
  }

  private Session judge(String status, String reason) {
    if (!isOff()) {
      String why = reason == null ? null : Values.cut(reason, MAX_REASON);
      synchronized (this) {
        if (closed) {
          book.add(new Verdict(recorded(), book.clock().nowNs(), status, why));
        } else {
          recorded().setAttribute("rl.status", status);
          recorded().setAttribute("rl.reason", why == null && judged ? "" : why);
        }
        judged = true;
      }
    }
    return this;
  }

  /** Counts one more of something. */
  public Session count(String counter) {
    return count(counter, 1);
  }

  /** Counts as many more; what was counted is told when the session is closed. */
  public Session count(String counter, long more) {
    if (!isOff() && counter != null) {
      synchronized (this) {
        if (counters.size() < MAX_COUNTERS || counters.containsKey(counter)) {
          counters.merge(counter, more, Long::sum);
        }
      }
    }
    return this;
  }

  @Override
  public void close() {
    if (isOff()) {
      return;
    }
    synchronized (this) {
      if (!closed) {
        counters.forEach((name, value) -> recorded().setAttribute("rl.counter." + name, value));
        closed = true;
      }
      super.close();
    }
  }
}
