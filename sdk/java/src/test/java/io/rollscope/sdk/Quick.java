package io.rollscope.sdk;

import io.rollscope.sdk.internal.Warnings;
import io.rollscope.sdk.internal.send.Pace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** An SDK in a hurry, for tests: sends to memory, and keeps its warnings. */
final class Quick {
  static final Pace PACE =
      new Pace(
          Duration.ofMillis(20),
          Duration.ofMillis(50),
          Duration.ofMillis(50),
          Duration.ofMillis(5),
          Duration.ofMillis(20));
  static final Duration PATIENCE = Duration.ofSeconds(20);

  final MemoryTransport transport = new MemoryTransport();
  final List<String> warnings = new CopyOnWriteArrayList<>();

  RollscopeBuilder builder() {
    return builder(Map.of());
  }

  /** Beats come often here: their host metrics would be among those that a test expects. */
  RollscopeBuilder builder(Map<String, String> environment) {
    return builderWithHostMetrics(environment).hostMetrics(false);
  }

  RollscopeBuilder builderWithHostMetrics(Map<String, String> environment) {
    return Rollscope.builder()
        .environment(environment)
        .warnings(new Warnings(warnings::add))
        .pace(PACE)
        .transport(transport);
  }
}
