package io.rollscope.otlp.json;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.Set;

/**
 * One field of a message.
 *
 * @param message the type of its value when that is a message, else null
 */
record JsonField(FieldDescriptor descriptor, int number, Form form, JsonMessage message) {
  private static final Set<String> IDS = Set.of("trace_id", "span_id", "parent_span_id");

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

  static JsonField of(FieldDescriptor descriptor, JsonMessage message) {
    Form form =
        switch (descriptor.getType()) {
          case STRING -> Form.STRING;
          case BYTES -> IDS.contains(descriptor.getName()) ? Form.HEX : Form.BASE64;
          case BOOL -> Form.BOOL;
          case ENUM -> Form.ENUM;
          case DOUBLE -> Form.DOUBLE;
          case FIXED32 -> Form.FIXED32;
          case FIXED64, SFIXED64 -> Form.FIXED64;
          case INT32, INT64, UINT32, UINT64 -> Form.VARINT;
          case SINT32 -> Form.ZIGZAG;
          case MESSAGE -> Form.MESSAGE;
          default -> throw new IllegalArgumentException(descriptor + " (expected: an OTLP field)");
        };
    return new JsonField(descriptor, descriptor.getNumber(), form, message);
  }

  boolean isRepeated() {
    return descriptor.isRepeated();
  }

  String name() {
    return descriptor.getJsonName();
  }

  /** Number of the enum's value with this name, or null. */
  Integer enumNumber(String name) {
    EnumValueDescriptor value = descriptor.getEnumType().findValueByName(name);
    return value == null ? null : (Integer) value.getNumber();
  }
}
