package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.store.Receipt;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The operator stops the server while senders go on. */
class ClosingTest {
  @TempDir private Path data;
  private TestDoor door;

  @BeforeEach
  void open() throws StartException {
    door = TestDoor.open(data);
  }

  @AfterEach
  void close() {
    door.close();
  }

  private static HttpResponse<String> send(TestDoor door, byte[] body)
      throws IOException, InterruptedException {
    return door.send(
        door.otlp("/v1/traces")
            .header("Content-Type", "application/x-protobuf")
            .POST(BodyPublishers.ofByteArray(body)));
  }

  @Test
  void closingServerAsksToComeBackLater() throws Exception {
    door.door.stopReceiving();

    HttpResponse<String> answer = send(door, new byte[0]);

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("retry-after")).contains("1");
    assertThat(answer.body()).contains("closing").contains("google.rpc.RetryInfo");
  }

  @Test
  void closingWaitsForTheRequestUnderWay() throws Exception {
    CompletableFuture<Receipt> durable = new CompletableFuture<>();
    CountDownLatch arrived = new CountDownLatch(1);
    door.intake =
        incoming -> {
          arrived.countDown();
          return durable;
        };
    CompletableFuture<Integer> status =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return send(door, TestSpans.request(TestSpans.span(1))).statusCode();
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<Void> closed = CompletableFuture.runAsync(door::close);
    durable.complete(Receipt.ALL_TAKEN);

    assertThat(status.get(10, TimeUnit.SECONDS)).isEqualTo(200);
    closed.get(10, TimeUnit.SECONDS);
  }
}
