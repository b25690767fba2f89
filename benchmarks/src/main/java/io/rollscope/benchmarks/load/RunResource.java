package io.rollscope.benchmarks.load;

import java.util.function.BiConsumer;

/** What the sending process says about itself, once a batch. */
final class RunResource {
  static final String SERVICE = "rollout-worker";

  private RunResource() {}

  static void describe(String run, BiConsumer<String, String> out) {
    out.accept("service.name", SERVICE);
    out.accept("service.instance.id", "5b0e7d2c-6a1f-4f5e-9a53-0c9f1e2d3b4a");
    out.accept("host.name", "node-017");
    out.accept("process.pid", "41235");
    out.accept("rl.run.id", run);
    out.accept("rl.run.name", run);
    out.accept("rl.project", "benchmarks");
    out.accept("rl.system", "rollscope");
  }
}
