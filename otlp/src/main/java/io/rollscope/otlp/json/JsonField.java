package io.rollscope.otlp.json;

import java.util.Map;

/**
 * One field of a message.
 *
 * @param name in JSON
 * @param message the type of its value when that is a message, else null
 * @param words numbers of an enum's values by their names, else null
 */
record JsonField(
    String name,
    int number,
    Form form,
    boolean isRepeated,
    JsonMessage message,
    Map<String, Integer> words) {

  /** How a value is written in JSON and in protobuf. */
  enum Form {
    STRING,
    BASE64,
    /** OTLP's exception to protobuf's JSON. */
    HEX,
    BOOL,
    ENUM,
    DOUBLE,
    FIXED32,
    FIXED64,
    VARINT,
    ZIGZAG,
    MESSAGE
  }

  static JsonField of(
      String name,
      int number,
      String type,
      boolean repeated,
      JsonMessage message,
      Map<String, Integer> words) {
    Form form =
        switch (type) {
          case "string" -> Form.STRING;
          case "bytes" -> Form.BASE64;
          case "id" -> Form.HEX;
          case "bool" -> Form.BOOL;
          case "double" -> Form.DOUBLE;
          case "fixed32" -> Form.FIXED32;
          case "fixed64" -> Form.FIXED64;
          case "varint" -> Form.VARINT;
          case "zigzag" -> Form.ZIGZAG;
          default -> words == null ? Form.MESSAGE : Form.ENUM;
        };
    return new JsonField(name, number, form, repeated, message, words);
  }

  /** Number of the enum's value with this name, or null. */
  Integer enumNumber(String word) {
    return words.get(word);
  }
}
