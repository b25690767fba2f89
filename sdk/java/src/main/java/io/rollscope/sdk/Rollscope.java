package io.rollscope.sdk;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapSetter;
import io.rollscope.sdk.internal.Propagation;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

/**
 * Records what a training program does, and sends it in the background. Nothing here blocks or
 * throws, except setting it up. Off, it does nothing at all: no clock is read and nothing is
 * allocated.
 *
 * <pre>{@code
 * try (Rollscope rs = Rollscope.builder().run("grpo-qwen3").endpoint("host:4318").build();
 *     Batch batch = rs.batch(12, 11);
 *     Session session = rs.session();
 *     Phase phase = rs.phase("generate")) {
 *   phase.set("tokens", generate());
 *   session.accepted();
 * }
 * }</pre>
 */
public final class Rollscope implements AutoCloseable {
  private static final Rollscope DISABLED = new Rollscope(null);

  private final Recorder recorder;

  Rollscope(Recorder recorder) {
    this.recorder = recorder;
  }

  public static RollscopeBuilder builder() {
    return new RollscopeBuilder();
  }

  /** As the variables of the process say; off if they say nothing. */
  public static Rollscope fromEnvironment() {
    return builder().build();
  }

  public static Rollscope disabled() {
    return DISABLED;
  }

  public boolean isEnabled() {
    return recorder != null;
  }

  // What happens ----------------------------------------------------------------------------

  public Batch batch(long trainStep) {
    return recorder == null ? Batch.OFF : recorder.batch(trainStep, null, null, null);
  }

  /**
   * @param modelStep the step whose weights generate
   */
  public Batch batch(long trainStep, long modelStep) {
    return recorder == null ? Batch.OFF : recorder.batch(trainStep, modelStep, null, null);
  }

  /**
   * @param futureStep the step the batch is meant for
   */
  public Batch batch(long trainStep, long modelStep, long futureStep) {
    return recorder == null ? Batch.OFF : recorder.batch(trainStep, modelStep, futureStep, null);
  }

  /** A batch that has an id instead of steps. */
  public Batch batch(String id) {
    return recorder == null ? Batch.OFF : recorder.batchById(id);
  }

  public Task task(String id) {
    return recorder == null ? Task.OFF : recorder.task(id, null);
  }

  public Task task(String id, String name) {
    return recorder == null ? Task.OFF : recorder.task(id, name);
  }

  public Session session() {
    return recorder == null ? Session.OFF : recorder.session(null);
  }

  public Session session(String id) {
    return recorder == null ? Session.OFF : recorder.session(id);
  }

  public Phase phase(String name) {
    return recorder == null ? Phase.OFF : recorder.phase(name);
  }

  /** Under the span of that context instead of the current one. */
  public Phase phase(String name, Context context) {
    return recorder == null ? Phase.OFF : recorder.phase(name, context);
  }

  public State state(String name, String lane) {
    return recorder == null ? State.OFF : recorder.state(name, lane, null);
  }

  public State state(String name, String lane, long trainStep) {
    return recorder == null ? State.OFF : recorder.state(name, lane, trainStep);
  }

  /** Runs code as a phase. */
  public <T, E extends Exception> T trace(String name, Body<T, E> body) throws E {
    if (recorder != null) {
      return phase(name).call(body);
    }
    return body == null ? null : body.call();
  }

  /** Likewise, for a callable made elsewhere. */
  public <T> T trace(String name, Callable<T> body) throws Exception {
    if (recorder != null) {
      return phase(name).call(body == null ? null : body::call);
    }
    return body == null ? null : body.call();
  }

  /** A phase that lasts until the future that the code gives is done. */
  public <S extends CompletionStage<?>> S traceAsync(String name, Supplier<S> body) {
    if (!isMissing("traceAsync", body, "code that gives a future")) {
      return Async.trace(phase(name), body);
    }
    return body == null ? null : body.get();
  }

  // Metrics ---------------------------------------------------------------------------------

  public Counter counter(String name) {
    return recorder == null ? Counter.OFF : recorder.counter(name);
  }

  public Gauge gauge(String name) {
    return recorder == null ? Gauge.OFF : recorder.gauge(name);
  }

  public Histogram histogram(String name) {
    return recorder == null ? Histogram.OFF : recorder.histogram(name, null);
  }

  /**
   * @param bounds upper bounds of its buckets, ascending
   */
  public Histogram histogram(String name, double[] bounds) {
    return isMissing("histogram", bounds, "upper bounds of its buckets")
        ? histogram(name)
        : recorder.histogram(name, bounds);
  }

  // Context ---------------------------------------------------------------------------------

  /** Tasks see the phase that was current when they were given to it. */
  public Executor wrap(Executor executor) {
    return isMissing("wrap", executor, "an executor") ? executor : Context.taskWrapping(executor);
  }

  public ExecutorService wrap(ExecutorService executor) {
    return isMissing("wrap", executor, "an executor") ? executor : Context.taskWrapping(executor);
  }

  public ScheduledExecutorService wrap(ScheduledExecutorService executor) {
    return isMissing("wrap", executor, "an executor") ? executor : Context.taskWrapping(executor);
  }

  /** Its callbacks see the phase that was current when they were given to it. */
  public <T> CompletableFuture<T> wrap(CompletableFuture<T> future) {
    return isMissing("wrap", future, "a future") ? future : ContextFuture.of(future);
  }

  /**
   * Whether there is nothing to do: it is off, or it was given nothing, which is worth a warning.
   */
  private boolean isMissing(String what, Object given, String expected) {
    if (recorder == null) {
      return true;
    }
    if (given == null) {
      recorder.misuse(what, null, expected);
    }
    return given == null;
  }

  /** Adds headers that make what another process does part of the current phase. */
  public void inject(Map<String, String> headers) {
    if (!isMissing("inject", headers, "headers")) {
      inject(headers, (carrier, key, value) -> carrier.put(key, value));
    }
  }

  public <C> void inject(C carrier, TextMapSetter<C> setter) {
    if (!isMissing("inject", setter, "a setter")) {
      try {
        Propagation.inject(recorder.current(), carrier, setter);
      } catch (RuntimeException e) {
        recorder.misuse("inject", e, "a carrier that can be written");
      }
    }
  }

  /** What another process put into headers; make it current to work as its part. */
  public Context extract(Map<String, String> headers) {
    Context current = Context.current();
    if (isMissing("extract", headers, "headers")) {
      return current;
    }
    try {
      return Propagation.extract(current, headers);
    } catch (RuntimeException e) {
      recorder.misuse("extract", e, "headers that can be read");
      return current;
    }
  }

  public <C> Context extract(C carrier, TextMapGetter<C> getter) {
    Context current = Context.current();
    if (isMissing("extract", getter, "a getter")) {
      return current;
    }
    try {
      return Propagation.extract(current, carrier, getter);
    } catch (RuntimeException e) {
      recorder.misuse("extract", e, "a carrier that can be read");
      return current;
    }
  }

  /** Variables for a child process: these settings, and the current phase as its parent. */
  public Map<String, String> environment() {
    Map<String, String> variables = new LinkedHashMap<>();
    if (recorder != null) {
      inject(variables, Recorder::putVariable);
      variables.putAll(recorder.variables());
    }
    return variables;
  }

  /** For code written against OpenTelemetry's API. */
  public OpenTelemetry openTelemetry() {
    return recorder == null ? OpenTelemetry.noop() : recorder.openTelemetry();
  }

  /** How many spans, starts and metric points could not be kept or sent so far. */
  public Dropped dropped() {
    return recorder == null ? Dropped.NOTHING : recorder.dropped();
  }

  /** What became of everything recorded so far: for a line at the end of a step, or a test. */
  public Stats stats() {
    return recorder == null ? Stats.NOTHING : recorder.stats();
  }

  // The end ---------------------------------------------------------------------------------

  /** Waits until everything recorded so far is sent; false if that takes longer. */
  public boolean flush(Duration patience) {
    return recorder == null || recorder.flush(patience);
  }

  /** Sends what waits, for a few seconds at most, and ends. What is open stays open: it is lost. */
  @Override
  public void close() {
    if (recorder != null) {
      recorder.close();
    }
  }
}
