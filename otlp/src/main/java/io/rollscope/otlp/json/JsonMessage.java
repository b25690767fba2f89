package io.rollscope.otlp.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The fields of a message by their names in JSON: lowerCamelCase, and snake_case where tolerated.
 */
public final class JsonMessage {
  private static final String ENUM = "enum ";
  private static final Map<String, String> LINES = lines();

  private final Map<String, JsonField> fields = new HashMap<>();

  private JsonMessage() {}

  /** The messages as they are written down; library classes that know them take long to load. */
  private static Map<String, String> lines() {
    Map<String, String> lines = new LinkedHashMap<>();
    try (InputStream in = JsonMessage.class.getResourceAsStream("messages.txt")) {
      for (String line : new String(in.readAllBytes(), UTF_8).split("\n")) {
        int colon = line.startsWith("#") ? -1 : line.indexOf(": ");
        if (colon > 0) {
          lines.put(line.substring(0, colon), line.substring(colon + 2));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }

  /**
   * The message with this name, and all that occur in it.
   *
   * @param snakeCase whether fields are known by their names in the .proto files, too
   */
  public static JsonMessage of(String name, boolean snakeCase) {
    return of(name, snakeCase, new HashMap<>());
  }

  private static JsonMessage of(String name, boolean snakeCase, Map<String, JsonMessage> known) {
    JsonMessage made = known.get(name);
    if (made != null) {
      return made;
    }
    JsonMessage message = new JsonMessage();
    known.put(name, message);
    for (String field : LINES.get(name).split(", ")) {
      int equals = field.indexOf('=');
      int space = field.indexOf(' ', equals);
      boolean repeated = field.endsWith("*");
      String type = field.substring(space + 1, field.length() - (repeated ? 1 : 0));
      String proto = field.substring(0, equals);
      int number = Integer.parseInt(field.substring(equals + 1, space));
      JsonMessage nested = LINES.containsKey(type) ? of(type, snakeCase, known) : null;
      Map<String, Integer> words =
          LINES.containsKey(ENUM + type) ? words(LINES.get(ENUM + type)) : null;
      String json = camelCase(proto);
      JsonField described = JsonField.of(json, number, type, repeated, nested, words);
      message.fields.put(json, described);
      if (snakeCase) {
        message.fields.put(proto, described);
      }
    }
    return message;
  }

  private static Map<String, Integer> words(String line) {
    Map<String, Integer> words = new HashMap<>();
    for (String word : line.split(" ")) {
      int equals = word.indexOf('=');
      words.put(word.substring(0, equals), Integer.valueOf(word.substring(equals + 1)));
    }
    return words;
  }

  private static String camelCase(String name) {
    StringBuilder text = new StringBuilder();
    for (String part : name.split("_")) {
      text.append(
          text.isEmpty() ? part : Character.toUpperCase(part.charAt(0)) + part.substring(1));
    }
    return text.toString();
  }

  /** Null for a field nobody knows. */
  JsonField field(String name) {
    return fields.get(name);
  }
}
