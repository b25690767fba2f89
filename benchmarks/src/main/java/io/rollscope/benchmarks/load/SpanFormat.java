package io.rollscope.benchmarks.load;

import java.nio.ByteBuffer;
import java.util.List;

/** How one kind of receiver wants its spans. */
interface SpanFormat {
  String path();

  String contentType();

  /**
   * Encodes a batch, with anything in the places that change.
   *
   * @param run id of the run
   */
  Draft encode(String run, List<SpanDraft> spans);

  /**
   * Writes over the changing parts of one span.
   *
   * @param slots where they are, from index {@code first} on
   */
  void fill(ByteBuffer body, int[] slots, int first, SpanValues values);

  static SpanFormat of(String name) {
    return switch (name) {
      case "otlp" -> new OtlpFormat();
      case "json" -> new JsonFormat();
      case "zipkin" -> new ZipkinFormat();
      default ->
          throw new IllegalArgumentException("format: " + name + " (expected: otlp, json, zipkin)");
    };
  }
}
