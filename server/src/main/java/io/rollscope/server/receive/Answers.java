package io.rollscope.server.receive;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Duration;
import io.rollscope.otlp.Signal;
import io.rollscope.server.receive.Receiver.Form;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The bytes of answers: export responses, whose three kinds share one shape, and {@code
 * google.rpc.Status}.
 */
final class Answers {
  private static final JsonFactory JSON = new JsonFactory();
  private static final String RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo";

  private Answers() {}

  /** An {@code Export…ServiceResponse}; {@code partial_success} only when there is something. */
  static byte[] of(Signal signal, Taken taken, Form form) {
    boolean whole = taken.rejected() == 0 && taken.message().isEmpty();
    if (form == Form.JSON) {
      return json(json -> response(signal, whole ? null : taken, json));
    }
    return whole ? new byte[0] : protobuf(out -> out.writeByteArray(1, partialSuccess(taken)));
  }

  private static byte[] partialSuccess(Taken taken) {
    return protobuf(
        out -> {
          if (taken.rejected() != 0) {
            out.writeInt64(1, taken.rejected());
          }
          out.writeString(2, taken.message());
        });
  }

  private static void response(Signal signal, Taken partly, JsonGenerator json) throws IOException {
    json.writeStartObject();
    if (partly != null) {
      json.writeObjectFieldStart("partialSuccess");
      json.writeStringField(rejectedKey(signal), Long.toString(partly.rejected()));
      json.writeStringField("errorMessage", partly.message());
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private static String rejectedKey(Signal signal) {
    return switch (signal) {
      case TRACES -> "rejectedSpans";
      case LOGS -> "rejectedLogRecords";
      case METRICS -> "rejectedDataPoints";
    };
  }

  /** A {@code google.rpc.Status}, with {@code RetryInfo} when a retry helps. */
  static byte[] of(Refusal refusal, Form form) {
    if (form == Form.JSON) {
      return json(json -> status(refusal, json));
    }
    return protobuf(
        out -> {
          out.writeInt32(1, refusal.why().grpcStatus());
          out.writeString(2, refusal.message());
          if (refusal.retryAfter() != null) {
            out.writeMessage(3, retryInfo(refusal.retryAfter()));
          }
        });
  }

  private static Any retryInfo(java.time.Duration delay) {
    Duration duration =
        Duration.newBuilder().setSeconds(delay.getSeconds()).setNanos(delay.getNano()).build();
    return Any.newBuilder()
        .setTypeUrl(RETRY_INFO)
        .setValue(ByteString.copyFrom(protobuf(out -> out.writeMessage(1, duration))))
        .build();
  }

  private static void status(Refusal refusal, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeNumberField("code", refusal.why().grpcStatus());
    json.writeStringField("message", refusal.message());
    if (refusal.retryAfter() != null) {
      json.writeArrayFieldStart("details");
      json.writeStartObject();
      json.writeStringField("@type", RETRY_INFO);
      json.writeStringField("retryDelay", refusal.retryAfter().toMillis() / 1000.0 + "s");
      json.writeEndObject();
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private static byte[] protobuf(Writing<CodedOutputStream> writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      writing.to(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] json(Writing<JsonGenerator> writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      writing.to(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  @FunctionalInterface
  private interface Writing<T> {
    void to(T out) throws IOException;
  }
}
