package io.rollscope.server.receive;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.rollscope.otlp.Signal;
import io.rollscope.otlp.record.Request;
import io.rollscope.server.metrics.Traffic;
import io.rollscope.server.receive.Refusal.Why;
import io.rollscope.store.Incoming;
import io.rollscope.store.Receipt;
import io.rollscope.store.journal.FrameTooLargeException;
import io.rollscope.store.journal.JournalBusyException;
import io.rollscope.store.journal.JournalClosedException;
import io.rollscope.store.journal.RetryableJournalException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;

/** What HTTP and gRPC receivers have in common: from a body in memory to a durable request. */
public final class Receiver {
  /** How the body is written. */
  enum Form {
    PROTOBUF,
    JSON
  }

  private final Intake intake;
  private final InFlight inFlight;
  private final Limits limits;
  private final Decoding decoding;
  private final Traffic traffic;
  private final SlowBodies slowBodies = new SlowBodies();
  private volatile boolean closing;

  /**
   * @param clock nanoseconds since the epoch
   */
  public Receiver(
      Intake intake,
      InFlight inFlight,
      Limits limits,
      Lanes lanes,
      LongSupplier clock,
      Traffic traffic) {
    this.intake = intake;
    this.inFlight = inFlight;
    this.limits = limits;
    this.decoding = new Decoding(lanes, limits, clock);
    this.traffic = traffic;
  }

  /** From now on senders are asked to come back later. */
  public void close() {
    closing = true;
  }

  InFlight.Claim claim(ServiceRequestContext ctx) {
    return inFlight.claim(ctx.remoteAddress().getAddress());
  }

  SlowBodies slowBodies() {
    return slowBodies;
  }

  /**
   * Ends bodies that arrive too slowly.
   *
   * @param nowNs as {@link System#nanoTime} says
   */
  public void endSlowBodies(long nowNs) {
    slowBodies.look(nowNs);
  }

  Limits limits() {
    return limits;
  }

  Traffic traffic() {
    return traffic;
  }

  /** Why no request is taken at the moment, or null. */
  Refusal closed() {
    return closing
        ? Refusal.later(
            Why.FAILING, "server: closing (expected: a retry after a moment)", Limits.RETRY_SOON)
        : null;
  }

  /**
   * Completes when the request is durable; fails with {@link RefusedException}.
   *
   * @param body {@link Incoming#HEAD} free bytes, then the request
   */
  CompletableFuture<Taken> take(
      Signal signal, Form form, boolean gzip, byte[] body, InFlight.Claim claim) {
    CompletableFuture<Incoming> decoded = new CompletableFuture<>();
    // Before it begins: what follows is then done where it is decoded, never by who serves clients.
    CompletableFuture<Taken> taken = decoded.thenCompose(this::keep);
    decoding.decode(new Decoding.Body(signal, form, gzip, body, claim), decoded);
    return taken;
  }

  private CompletableFuture<Taken> keep(Incoming incoming) {
    Request request = incoming.request();
    if (request.acceptedCount() == 0) {
      traffic.rejected(incoming.signal(), request);
      return CompletableFuture.completedFuture(
          Taken.of(incoming.signal(), request, Receipt.ALL_TAKEN));
    }
    CompletableFuture<Taken> taken = new CompletableFuture<>();
    var unused =
        intake
            .accept(incoming)
            .handle(
                (receipt, failure) -> {
                  if (failure != null) {
                    return taken.completeExceptionally(refusedByStore(failure));
                  }
                  traffic.rejected(incoming.signal(), request);
                  return taken.complete(Taken.of(incoming.signal(), request, receipt));
                });
    return taken;
  }

  private static Throwable refusedByStore(Throwable failure) {
    Throwable cause = failure instanceof CompletionException e ? e.getCause() : failure;
    if (cause instanceof RetryableJournalException e) {
      Why why = e instanceof JournalBusyException ? Why.BUSY : Why.FAILING;
      return new RefusedException(Refusal.later(why, e.getMessage(), e.retryAfter()));
    }
    if (cause instanceof JournalClosedException e) {
      return new RefusedException(Refusal.later(Why.FAILING, e.getMessage(), Limits.RETRY_SOON));
    }
    if (cause instanceof FrameTooLargeException e) {
      return refused(Why.TOO_LARGE, e.getMessage());
    }
    if (cause instanceof IOException e) {
      return new RefusedException(
          Refusal.later(Why.FAILING, String.valueOf(e.getMessage()), Limits.RETRY_SOON));
    }
    return cause;
  }

  private static RefusedException refused(Why why, String message) {
    return new RefusedException(Refusal.of(why, message));
  }
}
