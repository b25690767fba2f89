package io.rollscope.cli.render;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Reports as JSON: records become objects whose keys are their components in snake_case, the names
 * of the public API.
 */
public final class JsonReport {
  private static final JsonFactory FACTORY = new JsonFactory();
  private final Map<Class<?>, RecordComponent[]> components = new HashMap<>();
  private final Map<String, String> keys = new HashMap<>();

  /** Writes a report, readable, with a line end. */
  public static void write(Object report, OutputStream out) throws IOException {
    try (JsonGenerator generator = FACTORY.createGenerator(out)) {
      generator.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      generator.setPrettyPrinter(new DefaultPrettyPrinter());
      new JsonReport().value(report, generator);
      generator.writeRaw('\n');
    }
  }

  /** Writes a report in as few bytes as it takes; the stream stays open. */
  public static void writeCompact(Object report, OutputStream out) throws IOException {
    try (JsonGenerator generator = FACTORY.createGenerator(out)) {
      generator.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      new JsonReport().value(report, generator);
    }
  }

  private void value(Object value, JsonGenerator json) throws IOException {
    if (value == null) {
      json.writeNull();
    } else if (value instanceof Record r) {
      object(r, json);
    } else if (value instanceof Map<?, ?> map) {
      json.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        json.writeFieldName(wellFormed(String.valueOf(entry.getKey())));
        value(entry.getValue(), json);
      }
      json.writeEndObject();
    } else if (value instanceof Collection<?> list) {
      json.writeStartArray();
      for (Object element : list) {
        value(element, json);
      }
      json.writeEndArray();
    } else if (value.getClass().isArray()) {
      array(value, json);
    } else if (value instanceof Double number) {
      number(number, json);
    } else if (value instanceof BigInteger number) {
      json.writeNumber(number);
    } else if (value instanceof Number number) {
      json.writeNumber(number.longValue());
    } else if (value instanceof Boolean bool) {
      json.writeBoolean(bool);
    } else {
      json.writeString(wellFormed(value.toString()));
    }
  }

  private void array(Object array, JsonGenerator json) throws IOException {
    if (array instanceof int[] numbers) {
      json.writeArray(numbers, 0, numbers.length);
    } else if (array instanceof long[] numbers) {
      json.writeArray(numbers, 0, numbers.length);
    } else {
      json.writeStartArray();
      for (int i = 0; i < Array.getLength(array); i++) {
        value(Array.get(array, i), json);
      }
      json.writeEndArray();
    }
  }

  private static void number(double value, JsonGenerator json) throws IOException {
    if (Double.isFinite(value)) {
      json.writeNumber(plain(value));
    } else {
      json.writeNull();
    }
  }

  /** Half a character has no UTF-8 form; servers can send one, escaped. */
  static String wellFormed(String text) {
    StringBuilder repaired = null;
    for (int i = 0; i < text.length(); i++) {
      if (!Character.isSurrogate(text.charAt(i))) {
        continue;
      }
      if (Character.charCount(text.codePointAt(i)) == 2) {
        i++;
      } else {
        repaired = repaired == null ? new StringBuilder(text) : repaired;
        repaired.setCharAt(i, '\uFFFD');
      }
    }
    return repaired == null ? text : repaired.toString();
  }

  /** Without an exponent: {@code 1781000880.125}, not {@code 1.781000880125E9}. */
  static String plain(double value) {
    String text = Double.toString(value);
    return text.indexOf('E') < 0 ? text : new BigDecimal(text).toPlainString();
  }

  private void object(Record r, JsonGenerator json) throws IOException {
    json.writeStartObject();
    for (RecordComponent c : componentsOf(r)) {
      json.writeFieldName(keys.computeIfAbsent(c.getName(), JsonReport::snakeCase));
      value(valueOf(c, r), json);
    }
    json.writeEndObject();
  }

  private RecordComponent[] componentsOf(Record r) {
    return components.computeIfAbsent(r.getClass(), Class::getRecordComponents);
  }

  static Object valueOf(RecordComponent component, Record r) {
    try {
      return component.getAccessor().invoke(r);
    } catch (ReflectiveOperationException e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }

  /** {@code oldestAgeS} → {@code oldest_age_s}. */
  public static String snakeCase(String name) {
    StringBuilder snake = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (Character.isUpperCase(c)) {
        snake.append('_');
      }
      snake.append(Character.toLowerCase(c));
    }
    return snake.toString().toLowerCase(Locale.ROOT);
  }
}
