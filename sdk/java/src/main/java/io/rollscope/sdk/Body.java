package io.rollscope.sdk;

import java.util.concurrent.Callable;

/** Code that is recorded: a {@link Callable} that may say which exception it throws. */
@FunctionalInterface
public interface Body<T, E extends Exception> extends Callable<T> {
  @Override
  T call() throws E;
}
