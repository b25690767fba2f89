package io.rollscope.otlp.json;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.HashMap;
import java.util.Map;

/**
 * The fields of a message by their names in JSON: lowerCamelCase, and snake_case where tolerated.
 */
public final class JsonMessage {
  private final Map<String, JsonField> fields = new HashMap<>();

  private JsonMessage() {}

  /**
   * The message with this descriptor, and all that occur in it.
   *
   * @param snakeCase whether fields are known by their names in the .proto files, too
   */
  public static JsonMessage of(Descriptor descriptor, boolean snakeCase) {
    return of(descriptor, snakeCase, new HashMap<>());
  }

  private static JsonMessage of(
      Descriptor descriptor, boolean snakeCase, Map<Descriptor, JsonMessage> known) {
    JsonMessage made = known.get(descriptor);
    if (made != null) {
      return made;
    }
    JsonMessage message = new JsonMessage();
    known.put(descriptor, message);
    for (FieldDescriptor field : descriptor.getFields()) {
      boolean nested = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
      JsonField described =
          JsonField.of(field, nested ? of(field.getMessageType(), snakeCase, known) : null);
      message.fields.put(field.getJsonName(), described);
      if (snakeCase) {
        message.fields.put(field.getName(), described);
      }
    }
    return message;
  }

  /** Null for a field nobody knows. */
  JsonField field(String name) {
    return fields.get(name);
  }
}
