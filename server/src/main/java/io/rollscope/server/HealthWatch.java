package io.rollscope.server;

import io.rollscope.store.StoreHealth;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Tells the operator when the store stops or begins again to take requests; each once. */
final class HealthWatch {
  private final Supplier<StoreHealth> health;
  private final Consumer<String> log;
  private boolean ready = true;

  HealthWatch(Supplier<StoreHealth> health, Consumer<String> log) {
    this.health = health;
    this.log = log;
  }

  void look() {
    StoreHealth now = health.get();
    if (now.ready() != ready) {
      ready = now.ready();
      log.accept(
          ready
              ? "store: takes requests again"
              : "store: takes no requests: " + now.reason() + " (expected: a disk that works)");
    }
  }
}
