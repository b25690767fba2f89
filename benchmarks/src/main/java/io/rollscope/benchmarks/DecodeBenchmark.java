package io.rollscope.benchmarks;

import io.rollscope.otlp.BadRequestException;
import io.rollscope.otlp.RequestDecoder;
import io.rollscope.otlp.Signal;
import io.rollscope.otlp.TraceRequestBuilder;
import io.rollscope.otlp.record.Request;
import io.rollscope.otlp.record.SpanRecord;
import java.lang.management.ManagementFactory;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Decodes requests of 500 spans, in sessions of nine, with ten attributes each: five of few values,
 * two counts, a float, one of 64 URLs and a random id. Prints nanoseconds of processor time per
 * span, for decoding alone and for decoding and showing all attributes, in one thread.
 */
public final class DecodeBenchmark {
  private static final long NOW = 1_700_000_000_000_000_000L;
  private static final int REQUESTS = 64;
  private static final int SPANS = 500;
  private static final String[] STAGES = {
    "session", "queue", "generate", "toolcall", "generate", "judger", "reward", "store", "sync"
  };

  private DecodeBenchmark() {}

  /** {@code SECONDS}: how long each round takes. */
  public static void main(String[] args) throws BadRequestException {
    long nanos = TimeUnit.SECONDS.toNanos(Long.parseLong(args[0]));
    byte[][] requests = new byte[REQUESTS][];
    Random random = new Random(7);
    long bytes = 0;
    for (int i = 0; i < REQUESTS; i++) {
      requests[i] = request(random);
      bytes += requests[i].length;
    }
    System.out.printf("%d bytes per span%n", bytes / REQUESTS / SPANS);
    for (int round = 0; round < 4; round++) {
      System.out.printf("decode: %.0f ns/span%n", measure(requests, nanos, false));
      System.out.printf("decode and visit: %.0f ns/span%n", measure(requests, nanos, true));
    }
  }

  private static double measure(byte[][] requests, long nanos, boolean visit)
      throws BadRequestException {
    long start = cpuNanos();
    long spans = 0;
    long[] shown = new long[1];
    do {
      for (byte[] bytes : requests) {
        Request request = RequestDecoder.decode(Signal.TRACES, bytes, 0, NOW);
        spans += request.spans().size();
        if (visit) {
          for (SpanRecord span : request.spans()) {
            span.attributes().visit((k, kf, kt, v, vf, vt) -> shown[0] += kt - kf + vt - vf);
          }
        }
      }
    } while (cpuNanos() - start < nanos);
    if (visit && shown[0] == 0) {
      throw new IllegalStateException("attributes: none (expected: some)");
    }
    return (double) (cpuNanos() - start) / spans;
  }

  /** What this thread used: on a busy machine the clock measures the others. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static byte[] request(Random random) {
    TraceRequestBuilder request = new TraceRequestBuilder();
    request
        .resource()
        .attribute("service.name", "rollout")
        .attribute("service.instance.id", "0c5a7f0e-6d2c-4a53-9d0f-5b7a2f1c9e11")
        .attribute("rl.run.id", "qwen3-grpo/trial-7")
        .attribute("host.name", "node-17")
        .attribute("process.pid", 4711);
    long traceHigh = 0;
    long traceLow = 0;
    long root = 0;
    String session = "";
    for (int i = 0; i < SPANS; i++) {
      int place = i % STAGES.length;
      long id = random.nextLong() | 1;
      if (place == 0) {
        traceHigh = random.nextLong();
        traceLow = random.nextLong() | 1;
        root = id;
        session = "gsm8k:" + random.nextInt(4096) + ":" + random.nextInt(16);
      }
      long start = NOW - random.nextInt(1_000_000_000);
      request
          .span(
              traceHigh,
              traceLow,
              id,
              place == 0 ? 0 : root,
              "rollout." + STAGES[place],
              start,
              start + random.nextInt(1_000_000_000))
          .attribute("rl.session.id", session)
          .attribute("rl.stage", STAGES[place])
          .attribute("rl.kind", place == 0 ? "session" : "phase")
          .attribute("rl.task.name", "gsm8k")
          .attribute("gen_ai.request.model", "qwen3-8b")
          .attribute("rl.train_step", 12)
          .attribute("gen_ai.usage.output_tokens", random.nextInt(8_192))
          .attribute("rl.reward.score", random.nextDouble())
          .attribute("server.address", "http://10.0.0." + random.nextInt(64) + ":8000/v1")
          .attribute("gen_ai.request.id", Long.toHexString(random.nextLong()));
    }
    return request.build();
  }
}
