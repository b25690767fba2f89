package io.rollscope.cli.remote;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON objects into records whose components have the same names in camelCase: the opposite
 * of {@code JsonReport}. Keys nobody knows are passed over, so that newer servers can say more;
 * what is missing becomes null, 0, false, or an empty list or map. Not Jackson's databind, because
 * that costs a tenth of a second at start.
 */
public final class JsonRecords {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final Map<Class<?>, Shape> shapes = new HashMap<>();

  private record Shape(Constructor<?> constructor, Type[] types, Map<String, Integer> positions) {}

  /** Reads one object and expects nothing behind it. */
  public static <T extends Record> T read(InputStream json, Class<T> type) throws IOException {
    try (JsonParser parser = FACTORY.createParser(json)) {
      parser.nextToken();
      T value = type.cast(new JsonRecords().value(parser, type));
      if (value == null || parser.nextToken() != null) {
        throw new IOException("no single JSON object");
      }
      return value;
    }
  }

  /** The same from memory. */
  static <T extends Record> T read(byte[] json, Class<T> type) throws IOException {
    return read(new ByteArrayInputStream(json), type);
  }

  private Object value(JsonParser json, Type type) throws IOException {
    JsonToken token = json.currentToken();
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      return arguments.length == 1 ? list(json, arguments[0]) : map(json, arguments[1]);
    }
    Class<?> wanted = (Class<?>) type;
    if (token == JsonToken.VALUE_NULL) {
      return absent(wanted);
    }
    if (wanted.isRecord()) {
      return object(json, wanted);
    }
    if (wanted.isArray()) {
      return array(json, wanted.getComponentType());
    }
    if (wanted == Object.class) {
      return any(json);
    }
    if (!token.isScalarValue()) {
      throw unexpected(json, wanted.getSimpleName());
    }
    if (wanted == String.class) {
      return json.getText();
    }
    if (wanted == boolean.class || wanted == Boolean.class) {
      return json.getBooleanValue();
    }
    if (wanted == int.class || wanted == Integer.class) {
      return json.getIntValue();
    }
    if (wanted == long.class || wanted == Long.class) {
      return json.getLongValue();
    }
    return json.getDoubleValue();
  }

  private Object any(JsonParser json) throws IOException {
    return switch (json.currentToken()) {
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getNumberValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case START_ARRAY -> list(json, Object.class);
      case START_OBJECT -> map(json, Object.class);
      default -> json.getText();
    };
  }

  private List<Object> list(JsonParser json, Type element) throws IOException {
    List<Object> list = new ArrayList<>();
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return list;
    }
    if (json.currentToken() != JsonToken.START_ARRAY) {
      throw unexpected(json, "list");
    }
    while (json.nextToken() != JsonToken.END_ARRAY) {
      list.add(value(json, element));
    }
    return list;
  }

  private Object array(JsonParser json, Class<?> element) throws IOException {
    List<Object> list = list(json, element);
    Object array = Array.newInstance(element, list.size());
    for (int i = 0; i < list.size(); i++) {
      Array.set(array, i, list.get(i));
    }
    return array;
  }

  private Map<String, Object> map(JsonParser json, Type element) throws IOException {
    Map<String, Object> map = new LinkedHashMap<>();
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return map;
    }
    if (json.currentToken() != JsonToken.START_OBJECT) {
      throw unexpected(json, "object");
    }
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String key = json.currentName();
      json.nextToken();
      map.put(key, value(json, element));
    }
    return map;
  }

  private Object object(JsonParser json, Class<?> type) throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      throw unexpected(json, "object");
    }
    Shape shape = shapeOf(type);
    Object[] values = new Object[shape.types.length];
    Arrays.setAll(values, i -> missing(shape.types[i]));
    while (json.nextToken() != JsonToken.END_OBJECT) {
      Integer position = shape.positions.get(json.currentName());
      json.nextToken();
      if (position == null) {
        json.skipChildren();
      } else {
        values[position] = value(json, shape.types[position]);
      }
    }
    try {
      return shape.constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IOException(
          type.getSimpleName() + " cannot be made of " + json.currentLocation(), e);
    }
  }

  private Shape shapeOf(Class<?> type) throws IOException {
    Shape known = shapes.get(type);
    if (known != null) {
      return known;
    }
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] raw = new Class<?>[components.length];
    Type[] types = new Type[components.length];
    Map<String, Integer> positions = new HashMap<>();
    for (int i = 0; i < components.length; i++) {
      raw[i] = components[i].getType();
      types[i] = components[i].getGenericType();
      positions.put(snakeCase(components[i].getName()), i);
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(raw);
      constructor.setAccessible(true);
      Shape shape = new Shape(constructor, types, positions);
      shapes.put(type, shape);
      return shape;
    } catch (NoSuchMethodException e) {
      throw new IOException(e);
    }
  }

  private static String snakeCase(String name) {
    return io.rollscope.cli.render.JsonReport.snakeCase(name);
  }

  private static Object missing(Type type) {
    if (type instanceof ParameterizedType generic) {
      return generic.getActualTypeArguments().length == 1 ? List.of() : Map.of();
    }
    Class<?> wanted = (Class<?>) type;
    if (wanted.isArray()) {
      return Array.newInstance(wanted.getComponentType(), 0);
    }
    return wanted == double.class ? (Object) 0.0 : absent(wanted);
  }

  /** What null stands for; a number that is none was written as null. */
  private static Object absent(Class<?> type) {
    if (type == boolean.class) {
      return false;
    }
    if (type == int.class) {
      return 0;
    }
    if (type == long.class) {
      return 0L;
    }
    return type == double.class ? Double.NaN : null;
  }

  private static IOException unexpected(JsonParser json, String wanted) throws IOException {
    return new IOException(
        "JSON at " + json.currentLocation().offsetDescription() + ": no " + wanted);
  }
}
