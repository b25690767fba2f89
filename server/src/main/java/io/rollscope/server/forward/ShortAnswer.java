package io.rollscope.server.forward;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** The first bytes of an answer; one that goes on is broken off there. */
final class ShortAnswer implements BodySubscriber<byte[]> {
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private final byte[] bytes;
  private int length;
  private Flow.Subscription subscription;

  ShortAnswer(int most) {
    this.bytes = new byte[most];
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    given.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      int count = Math.min(buffer.remaining(), bytes.length - length);
      buffer.get(bytes, length, count);
      length += count;
      if (buffer.hasRemaining()) {
        subscription.cancel();
        onComplete();
        return;
      }
    }
  }

  @Override
  public void onError(Throwable failure) {
    body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    body.complete(Arrays.copyOf(bytes, length));
  }
}
