package io.rollscope.otlp.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.rollscope.otlp.wire.ProtoWriter;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one JSON document token by token and writes its fields as they come. */
public final class JsonConverter {
  /** Messages in messages: an attribute value is in up to three for each list or map around it. */
  private static final int MAX_DEPTH = 120;

  /** Most objects in a document, however deep; the shortest that say anything have 15 bytes. */
  private static final int MAX_OBJECTS = 4_000_000;

  private static final Pattern TOO_MANY_DIGITS =
      Pattern.compile("^Number value length \\((\\d+)\\)");

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          .build();

  private final JsonParser parser;
  private final JsonValues values;
  private final ProtoWriter out;
  private final int maxOuter;
  private int outer;
  private int objects;

  private JsonConverter(JsonParser parser, JsonValues values, ProtoWriter out, int maxOuter) {
    this.maxOuter = maxOuter;
    this.parser = parser;
    this.values = values;
    this.out = out;
  }

  /**
   * The message in protobuf.
   *
   * @param maxOuter most objects directly in it, and in these
   */
  public static byte[] convert(JsonMessage message, byte[] json, int from, int to, int maxOuter)
      throws BadJsonException {
    ProtoWriter out = new ProtoWriter((to - from) / 2);
    try (JsonParser parser = FACTORY.createParser(json, from, to - from)) {
      JsonConverter converter =
          new JsonConverter(parser, new JsonValues(parser, json, from, to), out, maxOuter);
      parser.nextToken();
      converter.readMessage(message, "request", 0);
      if (parser.nextToken() != null) {
        throw converter.values.wrong("after the request", "nothing more");
      }
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      String place = at == null ? "" : BadJsonException.place(at) + ": ";
      // Jackson's own words for an early end name its settings, which mean nothing to a sender.
      String what = e instanceof JsonEOFException ? "ends too early" : e.getOriginalMessage();
      Matcher digits = TOO_MANY_DIGITS.matcher(what);
      what = digits.find() ? "a number of " + digits.group(1) + " digits" : what;
      throw new BadJsonException(place + what + " (expected: JSON)");
    } catch (IOException e) {
      throw new BadJsonException(e.getMessage() + " (expected: JSON in UTF-8)");
    }
    return out.toBytes();
  }

  private void readMessage(JsonMessage message, String name, int depth)
      throws IOException, BadJsonException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw values.wrong(name, "an object");
    }
    if (depth > MAX_DEPTH) {
      throw values.wrong(name, "at most " + MAX_DEPTH + " objects in objects");
    }
    count(depth);
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      JsonField field = message.field(parser.currentName());
      JsonToken value = parser.nextToken();
      if (field == null) {
        parser.skipChildren();
      } else if (field.isRepeated() && value != JsonToken.VALUE_NULL) {
        readList(field, depth);
      } else if (value != JsonToken.VALUE_NULL) {
        readValue(field, depth);
      }
    }
  }

  private void count(int depth) throws BadJsonException {
    if (depth > 0 && depth <= 2 && ++outer > maxOuter) {
      throw BadJsonException.tooMany(parser.currentTokenLocation(), maxOuter);
    }
    if (++objects > MAX_OBJECTS) {
      throw BadJsonException.tooMany(parser.currentTokenLocation(), MAX_OBJECTS);
    }
  }

  private void readList(JsonField field, int depth) throws IOException, BadJsonException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw values.wrong(field.name(), "a list");
    }
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() != JsonToken.VALUE_NULL) {
        readValue(field, depth);
      }
    }
  }

  private void readValue(JsonField field, int depth) throws IOException, BadJsonException {
    int number = field.number();
    switch (field.form()) {
      case STRING -> out.string(number, values.string(field));
      case BASE64 -> put(number, values.base64(field));
      case HEX -> put(number, values.hex(field));
      case BOOL -> out.varint(number, values.bool(field) ? 1 : 0);
      case ENUM -> out.varint(number, values.enumNumber(field));
      case DOUBLE -> out.float64(number, values.float64(field));
      case FIXED32 -> out.fixed32(number, (int) values.integer(field));
      case FIXED64 -> out.fixed64(number, values.integer(field));
      case VARINT -> out.varint(number, values.integer(field));
      case ZIGZAG -> {
        int value = (int) values.integer(field);
        out.varint(number, Integer.toUnsignedLong(value << 1 ^ value >> 31));
      }
      case MESSAGE -> {
        int mark = out.begin(number);
        readMessage(field.message(), field.name(), depth + 1);
        out.end(mark);
      }
    }
  }

  private void put(int number, byte[] bytes) {
    out.bytes(number, bytes, 0, bytes.length);
  }
}
