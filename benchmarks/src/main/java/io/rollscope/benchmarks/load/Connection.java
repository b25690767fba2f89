package io.rollscope.benchmarks.load;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One connection to a receiver, used for one request at a time. */
interface Connection extends Closeable {
  /**
   * What the receiver said.
   *
   * @param status of HTTP, also for gRPC
   * @param retryAfterMs how long to wait when refused for now
   * @param body empty or what it had to say
   */
  record Answer(int status, long retryAfterMs, byte[] body) {
    boolean isAcknowledged() {
      return status == 200 || status == 202;
    }

    /** Refused for now; the same request may be sent again. */
    boolean isBusy() {
      return status == 429 || status == 503;
    }
  }

  /** What has to stand in front of a body of so many bytes. */
  byte[] head(SpanFormat format, int length);

  /** Sends a request and waits for the answer. */
  Answer send(ByteBuffer request) throws IOException;

  static Connection open(LoadOptions options) throws IOException {
    return switch (options.transport()) {
      case "http" -> new HttpConnection(options.host(), options.port());
      case "grpc" -> new GrpcConnection(options.host(), options.port());
      case "none" -> new NoConnection();
      default ->
          throw new IllegalArgumentException(
              "transport: " + options.transport() + " (expected: http, grpc, none)");
    };
  }
}
