package io.rollscope.otlp;

import io.rollscope.otlp.json.BadJsonException;
import io.rollscope.otlp.json.JsonConverter;
import io.rollscope.otlp.json.JsonMessage;
import java.util.EnumMap;
import java.util.Map;

/**
 * Turns OTLP/JSON export requests into protobuf, so that everything behind sees one form.
 *
 * <p>Ids are hex of either case; one that is not becomes an id that decoding refuses, with its item
 * only. Numbers of 64 bits come as number or text, enums as number or name. Unknown fields are
 * ignored; on the wire that includes names in snake_case, which some writers of files use.
 */
public final class JsonRequests {
  /** Of resources each has an object for itself, one for its attributes, and those of scopes. */
  private static final int MAX_OUTER = 2 * ElementLimits.MAX_RESOURCES + ElementLimits.MAX_SCOPES;

  private static final Map<Signal, JsonMessage> ON_THE_WIRE = messages(false);
  private static final Map<Signal, JsonMessage> IN_FILES = messages(true);

  private JsonRequests() {}

  private static Map<Signal, JsonMessage> messages(boolean snakeCase) {
    return new EnumMap<>(
        Map.of(
            Signal.TRACES, JsonMessage.of("TraceRequest", snakeCase),
            Signal.LOGS, JsonMessage.of("LogsRequest", snakeCase),
            Signal.METRICS, JsonMessage.of("MetricsRequest", snakeCase)));
  }

  /** A request as it was received. */
  public static byte[] toProtobuf(Signal signal, byte[] json) throws BadRequestException {
    return convert(ON_THE_WIRE.get(signal), json, 0, json.length);
  }

  /** A line of a file. */
  public static byte[] lineToProtobuf(Signal signal, byte[] json) throws BadRequestException {
    return lineToProtobuf(signal, json, 0, json.length);
  }

  /** A line of a file, between two places. */
  public static byte[] lineToProtobuf(Signal signal, byte[] json, int from, int to)
      throws BadRequestException {
    return convert(IN_FILES.get(signal), json, from, to);
  }

  private static byte[] convert(JsonMessage message, byte[] json, int from, int to)
      throws BadRequestException {
    try {
      return JsonConverter.convert(message, json, from, to, MAX_OUTER);
    } catch (BadJsonException e) {
      if (e.isTooMany()) {
        throw new TooManyElementsException(e.getMessage());
      }
      throw new BadRequestException(e.getMessage());
    }
  }
}
