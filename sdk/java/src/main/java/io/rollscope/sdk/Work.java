package io.rollscope.sdk;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.rollscope.sdk.internal.span.RecordedSpan;
import java.util.Map;

/**
 * What batch, task, session, phase and state have in common: they begin when they are made and end
 * when they are closed, have attributes, and may fail. All methods may be called by any thread, and
 * none throws.
 *
 * @param <W> the kind of work
 */
public abstract class Work<W extends Work<W>> implements AutoCloseable {
  private final RecordedSpan span;
  private final Context context;

  /** Work of an SDK that is off. */
  Work() {
    span = null;
    context = null;
  }

  /**
   * @param context the one its inside has, or null if its inside is not inside of it
   */
  Work(RecordedSpan span, Context context) {
    this.span = span;
    this.context = context;
    if (context != null) {
      span.attach(context);
    }
  }

  abstract W self();

  /** Null when the SDK is off. */
  final RecordedSpan recorded() {
    return span;
  }

  final boolean isOff() {
    return span == null;
  }

  /** It is what OpenTelemetry calls a span. */
  public final Span span() {
    return span == null ? Span.getInvalid() : span;
  }

  /** For code that runs elsewhere, as in {@code executor.submit(phase.context().wrap(task))}. */
  public final Context context() {
    if (span == null) {
      return Context.current();
    }
    return context == null ? Context.root().with(span) : context;
  }

  public final W set(String key, String value) {
    if (span != null) {
      span.setAttribute(key, value);
    }
    return self();
  }

  public final W set(String key, long value) {
    if (span != null) {
      span.setAttribute(key, value);
    }
    return self();
  }

  public final W set(String key, double value) {
    if (span != null) {
      span.setAttribute(key, value);
    }
    return self();
  }

  public final W set(String key, boolean value) {
    if (span != null) {
      span.setAttribute(key, value);
    }
    return self();
  }

  /** Numbers, text, lists of one of them; anything else becomes text, null is left out. */
  public final W set(String key, Object value) {
    if (span != null) {
      span.set(key, value);
    }
    return self();
  }

  public final W setAll(Map<String, ?> attributes) {
    if (span != null && attributes != null) {
      try {
        attributes.forEach(span::set);
      } catch (Throwable e) {
        span.setAttribute("rollscope.unreadable", attributes.getClass().getName());
      }
    }
    return self();
  }

  /**
   * It failed; or it was cancelled, if that is what the exception says ({@link
   * java.util.concurrent.CancellationException}, interruption).
   */
  public W failed(Throwable error) {
    if (span != null && error != null) {
      span.fail(error);
    }
    return self();
  }

  /** What {@link #call} knows of the body. */
  void threw(Throwable error) {
    failed(error);
  }

  /** Runs code inside, then closes; an exception is recorded and goes on. */
  public final <T, E extends Exception> T call(Body<T, E> body) throws E {
    try {
      return body.call();
    } catch (Throwable error) {
      if (span != null) {
        threw(error);
      }
      throw error;
    } finally {
      close();
    }
  }

  /** Likewise, for code without a result. */
  public final void run(Runnable body) {
    try {
      body.run();
    } catch (Throwable error) {
      if (span != null) {
        threw(error);
      }
      throw error;
    } finally {
      close();
    }
  }

  /** Ends it. The second time nothing happens. */
  @Override
  public void close() {
    if (span != null) {
      span.end();
      span.detach();
    }
  }
}
