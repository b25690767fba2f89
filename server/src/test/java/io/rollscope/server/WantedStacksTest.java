package io.rollscope.server;

import static java.net.http.HttpRequest.BodyPublishers.ofByteArray;
import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import io.rollscope.otlp.Signal;
import io.rollscope.server.receive.GrpcReceiver;
import io.rollscope.store.Receipt;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answer to a beat names the spans of which stacks are wanted (contracts.md 3.20). */
class WantedStacksTest {
  private static final String HEADER = "rollscope-want-stack";

  @TempDir private static Path data;
  private static TestDoor door;

  @BeforeAll
  static void open() throws StartException {
    door = TestDoor.open(data);
  }

  @AfterAll
  static void close() {
    door.close();
  }

  private static void want(Long... spans) {
    door.intake =
        incoming -> CompletableFuture.completedFuture(new Receipt(Map.of(), List.of(spans)));
  }

  private static byte[] body() {
    return TestSpans.request(TestSpans.span(1));
  }

  private static List<String> overHttp() throws Exception {
    var request = door.otlp("/v1/traces").header("Content-Type", "application/x-protobuf");
    return door.sendForBytes(request.POST(ofByteArray(body()))).headers().allValues(HEADER);
  }

  private static String overGrpc() {
    byte[] message = body();
    byte[] framed =
        ByteBuffer.allocate(5 + message.length)
            .put((byte) 0)
            .putInt(message.length)
            .put(message)
            .array();
    RequestHeaders headers =
        RequestHeaders.builder(HttpMethod.POST, GrpcReceiver.path(Signal.TRACES))
            .add(HttpHeaderNames.CONTENT_TYPE, "application/grpc")
            .build();
    return WebClient.of("h2c://" + door.door.otlpGrpc())
        .execute(headers, HttpData.wrap(framed))
        .aggregate()
        .join()
        .headers()
        .get(HEADER);
  }

  @Test
  void itIsAHeaderOverHttpAndMetadataOverGrpc() throws Exception {
    want(1L, 0xeee19b7ec3c1b174L);

    assertThat(overHttp()).containsExactly("0000000000000001,eee19b7ec3c1b174");
    assertThat(overGrpc()).isEqualTo("0000000000000001,eee19b7ec3c1b174");
  }

  @Test
  void nothingIsAskedAsARule() throws Exception {
    want();

    assertThat(overHttp()).isEmpty();
    assertThat(overGrpc()).isNull();
  }
}
