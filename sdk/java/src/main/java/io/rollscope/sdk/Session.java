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
  static final String REWARD = "rl.reward";
  static final String INPUT_TOKENS = "gen_ai.usage.input_tokens";
  static final String OUTPUT_TOKENS = "gen_ai.usage.output_tokens";

  private final Map<String, Long> counters = new LinkedHashMap<>();
  private boolean judged;
  private boolean closed;

  private Session() {}

  Session(RecordedSpan span, Context context, Recorder recorder) {
    super(span, context, recorder);
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
          addLate("rl.status", status, "rl.reason", why);
        } else {
          recorded().setAttribute("rl.status", status);
          recorded().setAttribute("rl.reason", why == null && judged ? "" : why);
        }
        judged = true;
      }
    }
    return this;
  }

  /** What it is worth to the trainer. */
  public Session reward(double value) {
    if (!isOff()) {
      if (Double.isFinite(value)) {
        addFacts(REWARD, value);
      } else {
        recorder().misuse("reward", value, "a finite number");
      }
    }
    return this;
  }

  /** How many tokens it read and wrote. Unless it says so, that is the sum of its calls. */
  public Session tokens(long input, long output) {
    if (!isOff() && recorder().areTokens(input, output)) {
      addFacts(INPUT_TOKENS, input, OUTPUT_TOKENS, output);
    }
    return this;
  }

  /** Facts come late more often than not: a judge scores when the session is long over. */
  private synchronized void addFacts(Object... keysAndValues) {
    if (closed) {
      addLate(keysAndValues);
      return;
    }
    for (int i = 0; i < keysAndValues.length; i += 2) {
      recorded().set((String) keysAndValues[i], keysAndValues[i + 1]);
    }
  }

  private void addLate(Object... keysAndValues) {
    Book book = recorder().book();
    book.add(new Verdict(recorded(), book.clock().nowNs(), keysAndValues));
  }

  /** A phase of this session, from any thread, whatever is current there. */
  public Phase phase(String name) {
    return inside(name);
  }

  /** Counts one more of something. */
  public Session count(String counter) {
    return count(counter, 1);
  }

  /** Counts as many more; what was counted is told when the session is closed. */
  public Session count(String counter, long more) {
    if (isOff()) {
      return this;
    }
    boolean counted = false;
    synchronized (this) {
      boolean room = counters.size() < MAX_COUNTERS || counters.containsKey(counter);
      if (counter != null && !closed && room) {
        counters.merge(counter, more, Long::sum);
        counted = true;
      }
    }
    if (!counted) {
      recorder()
          .misuse(
              "count",
              counter,
              "a name, of at most " + MAX_COUNTERS + ", before the session is closed");
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
