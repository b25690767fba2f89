package io.rollscope.benchmarks.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.Clients;
import com.linecorp.armeria.client.grpc.protocol.UnaryGrpcClient;
import com.linecorp.armeria.common.grpc.protocol.ArmeriaStatusException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletionException;

/** OTLP/gRPC. Each has a client of its own, because one client would put all on one connection. */
final class GrpcConnection implements Connection {
  private static final String METHOD =
      "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
  private static final int UNAVAILABLE = 14;
  private static final int RETRY_MS = 100;

  private final ClientFactory factory = ClientFactory.builder().workerGroup(1).build();
  private final UnaryGrpcClient client;

  GrpcConnection(String host, int port) {
    client =
        Clients.builder("gproto+h2c://" + host + ":" + port)
            .factory(factory)
            .responseTimeout(Duration.ofSeconds(60))
            .build(UnaryGrpcClient.class);
  }

  @Override
  public byte[] head(SpanFormat format, int length) {
    return new byte[0];
  }

  @Override
  public Answer send(ByteBuffer request) throws IOException {
    byte[] message = new byte[request.remaining()];
    request.get(message);
    try {
      return new Answer(200, 0, client.execute(METHOD, message).join());
    } catch (CompletionException e) {
      if (e.getCause() instanceof ArmeriaStatusException status) {
        int code = status.getCode() == UNAVAILABLE ? 503 : 400;
        return new Answer(code, RETRY_MS, String.valueOf(status.getMessage()).getBytes(UTF_8));
      }
      throw new IOException("gRPC call failed", e);
    }
  }

  @Override
  public void close() {
    factory.close();
  }
}
