package io.rollscope.formats.folder;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import net.jqwik.api.lifecycle.AroundTryHook;
import net.jqwik.api.lifecycle.TryExecutionResult;
import net.jqwik.api.lifecycle.TryExecutor;
import net.jqwik.api.lifecycle.TryLifecycleContext;

/** Ends a fuzz property, satisfied so far, when its time is over: {@code ./dev fuzz SECONDS}. */
final class TimeBox implements AroundTryHook {
  private static final long SECONDS = Long.getLong("rollscope.fuzz.seconds", 2);
  private static final Map<String, Long> DEADLINES = new ConcurrentHashMap<>();

  @Override
  public TryExecutionResult aroundTry(
      TryLifecycleContext context, TryExecutor aTry, List<Object> parameters) {
    String property = context.containerClass().getName() + '.' + context.label();
    long deadline =
        DEADLINES.computeIfAbsent(property, p -> System.nanoTime() + SECONDS * 1_000_000_000L);
    return System.nanoTime() > deadline
        ? TryExecutionResult.satisfied(true)
        : aTry.execute(parameters);
  }
}
