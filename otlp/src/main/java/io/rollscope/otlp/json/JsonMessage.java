package io.rollscope.otlp.json;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.HashMap;
import java.util.Map;

/** The fields of a message by their names in JSON: lowerCamelCase, and snake_case tolerated. */
public final class JsonMessage {
  private final Map<String, JsonField> fields = new HashMap<>();

  private JsonMessage() {}

  /** The message with this descriptor, and all that occur in it. */
  public static JsonMessage of(Descriptor descriptor) {
    return of(descriptor, new HashMap<>());
  }

  private static JsonMessage of(Descriptor descriptor, Map<Descriptor, JsonMessage> known) {
    JsonMessage made = known.get(descriptor);
    if (made != null) {
      return made;
    }
    JsonMessage message = new JsonMessage();
    known.put(descriptor, message);
    for (FieldDescriptor field : descriptor.getFields()) {
      boolean nested = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
      JsonField described = JsonField.of(field, nested ? of(field.getMessageType(), known) : null);
      message.fields.put(field.getJsonName(), described);
      message.fields.put(field.getName(), described);
    }
    return message;
  }

  /** Null for a field nobody knows. */
  JsonField field(String name) {
    return fields.get(name);
  }
}
