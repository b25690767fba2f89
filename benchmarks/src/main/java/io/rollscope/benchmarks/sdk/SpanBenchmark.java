package io.rollscope.benchmarks.sdk;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.rollscope.sdk.Phase;
import io.rollscope.sdk.Rollscope;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A span with four attributes, begun and ended, on the caller's thread. In batches that fit into
 * the buffers, which are emptied between them, so that nothing is dropped on either side.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 100)
@Measurement(iterations = 100)
@Fork(3)
public class SpanBenchmark {
  private static final int SPANS = 20_000;
  private static final int BUFFER = 1 << 16;

  /** Rollscope, sending to nowhere. */
  @State(Scope.Benchmark)
  public static class Ours {
    private final CountingTransport sent = new CountingTransport();
    private Rollscope rs;
    private Tracer tracer;
    private long recorded;

    @Setup
    public void open() {
      rs = Rollscope.builder().run("bench").transport(sent).buffer(BUFFER).build();
      tracer = rs.openTelemetry().getTracer("bench");
    }

    @TearDown(Level.Invocation)
    public void empty() {
      recorded += SPANS;
      if (!rs.flush(Duration.ofMinutes(1))) {
        throw new IllegalStateException("not sent within a minute");
      }
      sent.count();
    }

    @TearDown
    public void close() {
      rs.close();
      sent.count();
      System.out.printf(
          "recorded %d, arrived %d, starts besides %d%n", recorded, sent.spans(), sent.starts());
      Counts.expect(recorded, sent.spans());
    }
  }

  /** OpenTelemetry's SDK with its batch processor, exporting to nowhere. */
  @State(Scope.Benchmark)
  public static class Theirs {
    private final CountingExporter exported = new CountingExporter();
    private SdkTracerProvider provider;
    private Tracer tracer;
    private long recorded;

    @Setup
    public void open() {
      provider =
          SdkTracerProvider.builder()
              .addSpanProcessor(
                  BatchSpanProcessor.builder(exported).setMaxQueueSize(BUFFER).build())
              .build();
      tracer = provider.get("bench");
    }

    @TearDown(Level.Invocation)
    public void empty() {
      recorded += SPANS;
      provider.forceFlush().join(1, TimeUnit.MINUTES);
    }

    @TearDown
    public void close() {
      provider.close();
      System.out.printf("recorded %d, arrived %d%n", recorded, exported.spans());
      Counts.expect(recorded, exported.spans());
    }
  }

  /** Rollscope, not configured. */
  @State(Scope.Benchmark)
  public static class Off {
    private final Rollscope rs = Rollscope.disabled();
  }

  private static void begin(Tracer tracer, int i) {
    Span span =
        tracer
            .spanBuilder("generate")
            .setAttribute("model", "qwen3")
            .setAttribute("tokens", i)
            .setAttribute("temperature", 0.7)
            .setAttribute("stream", true)
            .startSpan();
    span.end();
  }

  private static void beginCurrent(Tracer tracer, int i) {
    Span span = tracer.spanBuilder("generate").startSpan();
    try (var scope = span.makeCurrent()) {
      span.setAttribute("model", "qwen3");
      span.setAttribute("tokens", i);
      span.setAttribute("temperature", 0.7);
      span.setAttribute("stream", true);
    }
    span.end();
  }

  private static Phase phase(Rollscope rs, int i) {
    try (Phase phase = rs.phase("generate")) {
      return phase
          .set("model", "qwen3")
          .set("tokens", i)
          .set("temperature", 0.7)
          .set("stream", true);
    }
  }

  @Benchmark
  @OperationsPerInvocation(SPANS)
  public void openTelemetrySdk(Theirs sdk) {
    for (int i = 0; i < SPANS; i++) {
      begin(sdk.tracer, i);
    }
  }

  /** The same calls as for OpenTelemetry's SDK. */
  @Benchmark
  @OperationsPerInvocation(SPANS)
  public void rollscopeByOpenTelemetryApi(Ours sdk) {
    for (int i = 0; i < SPANS; i++) {
      begin(sdk.tracer, i);
    }
  }

  /** Attributes set after the start, and the span made current, as a phase is. */
  @Benchmark
  @OperationsPerInvocation(SPANS)
  public void openTelemetrySdkCurrent(Theirs sdk) {
    for (int i = 0; i < SPANS; i++) {
      beginCurrent(sdk.tracer, i);
    }
  }

  @Benchmark
  @OperationsPerInvocation(SPANS)
  public void rollscopePhase(Ours sdk) {
    for (int i = 0; i < SPANS; i++) {
      phase(sdk.rs, i);
    }
  }

  @Benchmark
  @OperationsPerInvocation(SPANS)
  public void rollscopeDisabled(Off sdk, Blackhole used) {
    for (int i = 0; i < SPANS; i++) {
      used.consume(phase(sdk.rs, i));
    }
  }
}
