package io.rollscope.server.receive;

import com.linecorp.armeria.common.ByteBufAccessMode;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.stream.SubscriptionOption;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Reads a request's body into one array. A body that is refused is read to its end all the same and
 * thrown away: clients that write everything before they read would never see the answer else.
 */
final class Body implements Subscriber<HttpObject> {
  private final Limits limits;
  private final InFlight.Claim claim;
  private final int expected;
  private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
  private final EventExecutor loop;
  private Buffer buffer;
  private Refusal refusal;
  private volatile long received;
  private long receivedBefore;
  private long lookedNs = System.nanoTime();
  private Subscription subscription;

  private Body(
      int room,
      int expected,
      Limits limits,
      InFlight.Claim claim,
      EventExecutor loop,
      Refusal refusal) {
    this.loop = loop;
    this.limits = limits;
    this.claim = claim;
    this.expected = expected;
    this.refusal = refusal;
    this.buffer = new Buffer(room, limits.message(), claim);
  }

  /**
   * Completes with the body behind {@code room} free bytes, on the event loop; fails with {@link
   * RefusedException}.
   *
   * @param refusal why it is refused in any case, or null
   */
  static CompletableFuture<byte[]> read(
      HttpRequest request,
      EventExecutor loop,
      int room,
      Limits limits,
      InFlight.Claim claim,
      SlowBodies slow,
      Refusal refusal) {
    long announced = request.headers().getLong(HttpHeaderNames.CONTENT_LENGTH, -1);
    Refusal first = refusal;
    if (first == null && announced > limits.message()) {
      first = limits.tooLarge("body");
    }
    if (first != null && announced > limits.drained()) {
      return CompletableFuture.failedFuture(new RefusedException(first));
    }
    int expected = announced < 0 ? Integer.MAX_VALUE : (int) Math.min(announced, limits.message());
    Body body = new Body(room, expected, limits, claim, loop, first);
    slow.opened(body);
    var unused = body.whole.whenComplete((bytes, failure) -> slow.closed(body));
    request.subscribe(body, loop, SubscriptionOption.WITH_POOLED_OBJECTS);
    return body.whole;
  }

  @Override
  public void onSubscribe(Subscription given) {
    subscription = given;
    given.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(HttpObject object) {
    if (object instanceof HttpData data) {
      try (data) {
        take(data);
      }
    }
  }

  private void take(HttpData data) {
    int length = data.length();
    long soFar = received + length;
    received = soFar;
    if (refusal == null) {
      Buffer.Full full = buffer.makePlace(length, expected);
      if (full == null) {
        ByteBuf from = data.byteBuf(ByteBufAccessMode.DUPLICATE);
        from.readBytes(buffer.bytes(), buffer.end(), length);
        buffer.wrote(length);
        return;
      }
      refusal = full == Buffer.Full.LIMIT ? limits.tooLarge("body") : limits.noRoom();
      buffer = null;
      claim.release();
    }
    if (soFar > limits.drained()) {
      subscription.cancel();
      whole.completeExceptionally(new RefusedException(refusal));
    }
  }

  /** Ends it when too little came since the last look that was long enough ago. */
  synchronized void look(long nowNs) {
    if (nowNs - lookedNs < limits.slowAfter().toNanos()) {
      return;
    }
    long now = received;
    if (now - receivedBefore < Limits.SLOW_BYTES) {
      loop.execute(this::end);
    }
    receivedBefore = now;
    lookedNs = nowNs;
  }

  private void end() {
    if (!whole.isDone()) {
      subscription.cancel();
      whole.completeExceptionally(new RefusedException(limits.tooSlow()));
    }
  }

  @Override
  public void onError(Throwable cause) {
    whole.completeExceptionally(cause);
  }

  @Override
  public void onComplete() {
    if (refusal != null) {
      whole.completeExceptionally(new RefusedException(refusal));
    } else {
      buffer.makePlace(0, 0);
      whole.complete(buffer.whole());
    }
  }
}
