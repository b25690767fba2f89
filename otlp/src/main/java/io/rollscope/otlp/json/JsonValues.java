package io.rollscope.otlp.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Base64;
import java.util.HexFormat;

/** Values as OTLP/JSON writes them: the token the parser stands at. */
final class JsonValues {
  /** An id that no id can be: the item it belongs to is refused when decoded, and only that. */
  private static final byte[] NO_ID = {0};

  private static final int MAX_SHOWN = 40;
  private static final int MAX_DIGITS = 40;

  /** Fewer digits fit into a long, so many if they do not begin with 9. */
  private static final int LONG_DIGITS = 19;

  private static final double TWO_TO_63 = 0x1p63;

  private final JsonParser parser;
  private final byte[] json;
  private final int from;
  private final int to;

  /** Of the document between two places. */
  JsonValues(JsonParser parser, byte[] json, int from, int to) {
    this.parser = parser;
    this.json = json;
    this.from = from;
    this.to = to;
  }

  String string(JsonField field) throws IOException, BadJsonException {
    require(JsonToken.VALUE_STRING, field, "text");
    return parser.getText();
  }

  byte[] hex(JsonField field) throws IOException, BadJsonException {
    String text = string(field);
    try {
      return HexFormat.of().parseHex(text);
    } catch (IllegalArgumentException e) {
      return NO_ID;
    }
  }

  byte[] base64(JsonField field) throws IOException, BadJsonException {
    String text = string(field).replace('-', '+').replace('_', '/');
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw wrong(field.name(), "base64");
    }
  }

  boolean bool(JsonField field) throws IOException, BadJsonException {
    return switch (parser.getText()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw wrong(field.name(), "true or false");
    };
  }

  /** A number, or its name. */
  long enumNumber(JsonField field) throws IOException, BadJsonException {
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      Integer number = field.enumNumber(parser.getText());
      if (number != null) {
        return number;
      }
    }
    return integer(field);
  }

  double float64(JsonField field) throws IOException, BadJsonException {
    JsonToken token = parser.currentToken();
    if (token.isNumeric()) {
      return parser.getDoubleValue();
    }
    require(JsonToken.VALUE_STRING, field, "a number");
    String text = parser.getText();
    try {
      if (text.length() <= 2 * MAX_DIGITS) {
        return Double.parseDouble(text);
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw wrong(field.name(), "a number");
  }

  /** Signed or unsigned, of at most 64 bits; as a number or as text. */
  long integer(JsonField field) throws IOException, BadJsonException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.VALUE_NUMBER_INT) {
      return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
          ? integer(field, parser.getText())
          : parser.getLongValue();
    }
    if (token == JsonToken.VALUE_NUMBER_FLOAT) {
      double value = parser.getDoubleValue();
      if (value == Math.rint(value) && Math.abs(value) < TWO_TO_63) {
        return (long) value;
      }
    }
    if (token == JsonToken.VALUE_STRING) {
      return integer(field, parser.getText());
    }
    throw wrong(field.name(), "a whole number of 64 bits");
  }

  private long integer(JsonField field, String text) throws IOException, BadJsonException {
    try {
      if (text.length() < LONG_DIGITS || (text.length() == LONG_DIGITS && text.charAt(0) < '9')) {
        return Long.parseLong(text);
      }
      if (text.length() <= MAX_DIGITS) {
        BigInteger value = new BigInteger(text);
        if (value.bitLength() <= (value.signum() < 0 ? 63 : 64)) {
          return value.longValue();
        }
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw wrong(field.name(), "a whole number of 64 bits");
  }

  /** The first characters of the value here. */
  private String asWritten() {
    long at = from + Math.max(0, parser.currentTokenLocation().getByteOffset());
    int begin = (int) Math.min(at, to);
    return new String(json, begin, Math.min(MAX_SHOWN, to - begin), UTF_8);
  }

  private void require(JsonToken token, JsonField field, String expected)
      throws IOException, BadJsonException {
    if (parser.currentToken() != token) {
      throw wrong(field.name(), expected);
    }
  }

  /** What is wrong with the value here. */
  BadJsonException wrong(String name, String expected) throws IOException {
    JsonToken token = parser.currentToken();
    boolean structure = token == JsonToken.START_ARRAY || token == JsonToken.START_OBJECT;
    String text = token == null ? "nothing" : structure ? asWritten() : parser.getText();
    String shown = text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
    return new BadJsonException(
        BadJsonException.place(parser.currentTokenLocation())
            + ": "
            + name
            + ": "
            + shown
            + " (expected: "
            + expected
            + ")");
  }
}
