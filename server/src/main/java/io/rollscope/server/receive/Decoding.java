package io.rollscope.server.receive;

import io.rollscope.otlp.BadRequestException;
import io.rollscope.otlp.ElementLimits;
import io.rollscope.otlp.JsonRequests;
import io.rollscope.otlp.RequestDecoder;
import io.rollscope.otlp.Signal;
import io.rollscope.otlp.TooManyElementsException;
import io.rollscope.otlp.record.Request;
import io.rollscope.server.receive.Receiver.Form;
import io.rollscope.server.receive.Refusal.Why;
import io.rollscope.store.Incoming;
import io.rollscope.store.journal.Source;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

/**
 * From a body to records, on threads of its own. Large requests have a lane apart, so that small
 * ones never wait for them.
 */
final class Decoding {
  private final Lanes lanes;
  private final Limits limits;
  private final LongSupplier clock;

  /**
   * @param clock nanoseconds since the epoch
   */
  Decoding(Lanes lanes, Limits limits, LongSupplier clock) {
    this.lanes = lanes;
    this.limits = limits;
    this.clock = clock;
  }

  /** A body: {@link Incoming#HEAD} free bytes, then what was received. */
  record Body(Signal signal, Form form, boolean gzip, byte[] bytes, InFlight.Claim claim) {}

  /** Completes {@code decoded}, or lets it fail with {@link RefusedException}. */
  void decode(Body body, CompletableFuture<Incoming> decoded) {
    if (body.gzip()) {
      on(lanes.small(), decoded, () -> decompress(body, decoded));
    } else {
      boolean small = body.bytes().length <= Limits.SMALL;
      on(
          small ? lanes.small() : lanes.large(),
          decoded,
          () -> decoded.complete(read(body, plain(body))));
    }
  }

  @FunctionalInterface
  private interface Step {
    void run() throws RefusedException, BadRequestException;
  }

  /** Does a step in a lane; what goes wrong in it is the answer. False if there is no room. */
  private static boolean on(Executor lane, CompletableFuture<Incoming> decoded, Step step) {
    try {
      lane.execute(() -> run(step, decoded));
      return true;
    } catch (RejectedExecutionException e) {
      decoded.completeExceptionally(
          new RefusedException(
              Refusal.later(
                  Why.BUSY,
                  "requests waiting to be decoded: too many (expected: a retry after a moment)",
                  Limits.RETRY_SOON)));
      return false;
    }
  }

  private static void run(Step step, CompletableFuture<Incoming> decoded) {
    try {
      step.run();
    } catch (TooManyElementsException e) {
      decoded.completeExceptionally(
          new RefusedException(Refusal.of(Why.TOO_LARGE, e.getMessage())));
    } catch (BadRequestException e) {
      decoded.completeExceptionally(
          new RefusedException(Refusal.of(Why.MALFORMED, e.getMessage())));
    } catch (RefusedException | RuntimeException | Error e) {
      decoded.completeExceptionally(e);
    }
  }

  /** How large a request is shows when it is decompressed: a large one changes the lane. */
  private void decompress(Body body, CompletableFuture<Incoming> decoded)
      throws RefusedException, BadRequestException {
    int room = body.form() == Form.JSON ? 0 : Incoming.HEAD;
    Gzip gzip = new Gzip(body.bytes(), Incoming.HEAD, room, limits, body.claim());
    boolean handedOn = false;
    try {
      if (gzip.decompress(Limits.SMALL)) {
        decoded.complete(read(body, gzip.whole()));
      } else {
        handedOn = on(lanes.large(), decoded, () -> decompressRest(gzip, body, decoded));
      }
    } finally {
      if (!handedOn) {
        gzip.close();
      }
    }
  }

  private void decompressRest(Gzip gzip, Body body, CompletableFuture<Incoming> decoded)
      throws RefusedException, BadRequestException {
    try (gzip) {
      gzip.decompress(Integer.MAX_VALUE);
    }
    decoded.complete(read(body, gzip.whole()));
  }

  private static byte[] plain(Body body) {
    return body.form() == Form.JSON
        ? Arrays.copyOfRange(body.bytes(), Incoming.HEAD, body.bytes().length)
        : body.bytes();
  }

  private Incoming read(Body body, byte[] plain) throws BadRequestException {
    Signal signal = body.signal();
    byte[] bytes = body.form() == Form.JSON ? fromJson(signal, plain) : plain;
    ElementLimits.check(signal, bytes, Incoming.HEAD);
    long now = clock.getAsLong();
    Request request = RequestDecoder.decode(signal, bytes, Incoming.HEAD, now);
    return new Incoming(new Source.Otlp(signal), signal, now, bytes, request);
  }

  private static byte[] fromJson(Signal signal, byte[] json) throws BadRequestException {
    byte[] protobuf = JsonRequests.toProtobuf(signal, json);
    byte[] bytes = new byte[Incoming.HEAD + protobuf.length];
    System.arraycopy(protobuf, 0, bytes, Incoming.HEAD, protobuf.length);
    return bytes;
  }
}
