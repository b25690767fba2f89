package io.rollscope.otlp;

import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.rollscope.otlp.json.BadJsonException;
import io.rollscope.otlp.json.JsonConverter;
import io.rollscope.otlp.json.JsonMessage;

/**
 * Turns OTLP/JSON export requests into protobuf, so that everything behind sees one form.
 *
 * <p>Ids are hex of either case; one that is not becomes an id that decoding refuses, with its item
 * only. Numbers of 64 bits come as number or text, enums as number or name, names in lowerCamelCase
 * or snake_case. Unknown fields are ignored.
 */
public final class JsonRequests {
  private static final JsonMessage TRACES =
      JsonMessage.of(ExportTraceServiceRequest.getDescriptor());
  private static final JsonMessage LOGS = JsonMessage.of(ExportLogsServiceRequest.getDescriptor());
  private static final JsonMessage METRICS =
      JsonMessage.of(ExportMetricsServiceRequest.getDescriptor());

  private JsonRequests() {}

  public static byte[] toProtobuf(Signal signal, byte[] json) throws BadRequestException {
    JsonMessage message =
        switch (signal) {
          case TRACES -> TRACES;
          case LOGS -> LOGS;
          case METRICS -> METRICS;
        };
    try {
      return JsonConverter.convert(message, json);
    } catch (BadJsonException e) {
      throw new BadRequestException(e.getMessage());
    }
  }
}
