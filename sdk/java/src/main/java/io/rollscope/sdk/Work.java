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
  private final Recorder recorder;

  /** Work of an SDK that is off. */
  Work() {
    span = null;
    context = null;
    recorder = null;
  }

  /**
   * @param context the one its inside has, or null if its inside is not inside of it
   */
  Work(RecordedSpan span, Context context, Recorder recorder) {
    this.span = span;
    this.context = context;
    this.recorder = recorder;
    if (context != null) {
      span.attach(context);
    }
  }

  abstract W self();

  /** Null when the SDK is off. */
  final RecordedSpan recorded() {
    return span;
  }

  /** Null when the SDK is off. */
  final Recorder recorder() {
    return recorder;
  }

  final boolean isOff() {
    return span == null;
  }

  /** Begins a phase in this work, on any thread and whatever is current there. */
  final Phase inside(String name) {
    return span == null ? Phase.OFF : recorder.phase(name, context());
  }

  /**
   * Who does it, if that is not this process: {@code engine:1}, or {@code engine} alone. Only for
   * this span.
   */
  public final W worker(String label) {
    if (span != null && !WorkerLabel.set(span, label)) {
      recorder.misuse("worker", label, "role or role:rank, as in engine:1");
    }
    return self();
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
    if (span == null) {
      return self();
    }
    try {
      attributes.forEach(span::set);
    } catch (Throwable e) { // None at all, or a map that cannot be read.
      String kind = attributes == null ? null : attributes.getClass().getName();
      span.setAttribute("rollscope.unreadable", kind);
      recorder.misuse("setAll", kind, "a map that can be read");
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
    if (isMissing("call", body)) {
      return null;
    }
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
    if (isMissing("run", body)) {
      return;
    }
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

  /** Without code to run it ends at once. */
  private boolean isMissing(String what, Object body) {
    if (body == null) {
      if (recorder != null) {
        recorder.misuse(what, null, "code to run");
      }
      close();
    }
    return body == null;
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
