package io.rollscope.sdk;

import io.opentelemetry.context.Context;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A future whose callbacks run in the context they were given in, on whichever thread. The plain
 * forms of the methods call the ones with an executor or without in the JDK's class, so only those
 * that take a callback are here.
 */
final class ContextFuture<T> extends CompletableFuture<T> {
  private final CompletableFuture<?> source;

  private ContextFuture(CompletableFuture<?> source) {
    this.source = source;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // It ends as the source does, which is returned.
  static <T> ContextFuture<T> of(CompletableFuture<T> source) {
    ContextFuture<T> future = new ContextFuture<>(source);
    source.whenComplete(
        (value, error) -> {
          if (error == null) {
            future.complete(value);
          } else {
            future.completeExceptionally(error);
          }
        });
    return future;
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new ContextFuture<>(null);
  }

  @Override
  public boolean cancel(boolean mayInterrupt) {
    boolean cancelled = super.cancel(mayInterrupt);
    if (source != null) {
      source.cancel(mayInterrupt);
    }
    return cancelled;
  }

  private static Context here() {
    return Context.current();
  }

  @Override
  public <U> CompletableFuture<U> thenApply(Function<? super T, ? extends U> fn) {
    return super.thenApply(here().wrapFunction(fn));
  }

  @Override
  public <U> CompletableFuture<U> thenApplyAsync(Function<? super T, ? extends U> fn) {
    return super.thenApplyAsync(here().wrapFunction(fn));
  }

  @Override
  public <U> CompletableFuture<U> thenApplyAsync(
      Function<? super T, ? extends U> fn, Executor executor) {
    return super.thenApplyAsync(here().wrapFunction(fn), executor);
  }

  @Override
  public CompletableFuture<Void> thenAccept(Consumer<? super T> action) {
    return super.thenAccept(here().wrapConsumer(action));
  }

  @Override
  public CompletableFuture<Void> thenAcceptAsync(Consumer<? super T> action) {
    return super.thenAcceptAsync(here().wrapConsumer(action));
  }

  @Override
  public CompletableFuture<Void> thenAcceptAsync(Consumer<? super T> action, Executor executor) {
    return super.thenAcceptAsync(here().wrapConsumer(action), executor);
  }

  @Override
  public CompletableFuture<Void> thenRun(Runnable action) {
    return super.thenRun(here().wrap(action));
  }

  @Override
  public CompletableFuture<Void> thenRunAsync(Runnable action) {
    return super.thenRunAsync(here().wrap(action));
  }

  @Override
  public CompletableFuture<Void> thenRunAsync(Runnable action, Executor executor) {
    return super.thenRunAsync(here().wrap(action), executor);
  }

  @Override
  public <U, V> CompletableFuture<V> thenCombine(
      CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> fn) {
    return super.thenCombine(other, here().wrapFunction(fn));
  }

  @Override
  public <U, V> CompletableFuture<V> thenCombineAsync(
      CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> fn) {
    return super.thenCombineAsync(other, here().wrapFunction(fn));
  }

  @Override
  public <U, V> CompletableFuture<V> thenCombineAsync(
      CompletionStage<? extends U> other,
      BiFunction<? super T, ? super U, ? extends V> fn,
      Executor executor) {
    return super.thenCombineAsync(other, here().wrapFunction(fn), executor);
  }

  @Override
  public <U> CompletableFuture<U> thenCompose(
      Function<? super T, ? extends CompletionStage<U>> fn) {
    return super.thenCompose(here().wrapFunction(fn));
  }

  @Override
  public <U> CompletableFuture<U> thenComposeAsync(
      Function<? super T, ? extends CompletionStage<U>> fn) {
    return super.thenComposeAsync(here().wrapFunction(fn));
  }

  @Override
  public <U> CompletableFuture<U> thenComposeAsync(
      Function<? super T, ? extends CompletionStage<U>> fn, Executor executor) {
    return super.thenComposeAsync(here().wrapFunction(fn), executor);
  }

  @Override
  public <U> CompletableFuture<U> handle(BiFunction<? super T, Throwable, ? extends U> fn) {
    return super.handle(here().wrapFunction(fn));
  }

  @Override
  public <U> CompletableFuture<U> handleAsync(BiFunction<? super T, Throwable, ? extends U> fn) {
    return super.handleAsync(here().wrapFunction(fn));
  }

  @Override
  public <U> CompletableFuture<U> handleAsync(
      BiFunction<? super T, Throwable, ? extends U> fn, Executor executor) {
    return super.handleAsync(here().wrapFunction(fn), executor);
  }

  @Override
  public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> action) {
    return super.whenComplete(here().wrapConsumer(action));
  }

  @Override
  public CompletableFuture<T> whenCompleteAsync(BiConsumer<? super T, ? super Throwable> action) {
    return super.whenCompleteAsync(here().wrapConsumer(action));
  }

  @Override
  public CompletableFuture<T> whenCompleteAsync(
      BiConsumer<? super T, ? super Throwable> action, Executor executor) {
    return super.whenCompleteAsync(here().wrapConsumer(action), executor);
  }

  @Override
  public CompletableFuture<T> exceptionally(Function<Throwable, ? extends T> fn) {
    return super.exceptionally(here().wrapFunction(fn));
  }
}
