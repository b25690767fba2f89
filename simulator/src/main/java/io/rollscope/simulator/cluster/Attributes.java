package io.rollscope.simulator.cluster;

import io.rollscope.formats.json.JsonText;
import java.util.ArrayList;
import java.util.List;

/** Attributes of a record, in order; values are texts, whole numbers, floats or lists of texts. */
final class Attributes {
  private record Pair(String key, Object value) {}

  private final List<Pair> pairs = new ArrayList<>();

  static Attributes of(Object... keysAndValues) {
    Attributes made = new Attributes();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      made.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return made;
  }

  /** Adds one; a null is left out. */
  Attributes put(String key, Object value) {
    if (value != null) {
      pairs.add(new Pair(key, value));
    }
    return this;
  }

  int size() {
    return pairs.size();
  }

  /** Writes the first {@code count} as a JSON array, after those of {@code before}. */
  void write(JsonText json, int count, Attributes before) {
    json.raw('[');
    String separator = "";
    for (Pair pair : before.pairs) {
      write(json.raw(separator), pair);
      separator = ",";
    }
    for (Pair pair : pairs.subList(0, count)) {
      write(json.raw(separator), pair);
      separator = ",";
    }
    json.raw(']');
  }

  void write(JsonText json) {
    write(json, pairs.size(), new Attributes());
  }

  private static void write(JsonText json, Pair pair) {
    json.raw("{\"key\":").string(pair.key).raw(",\"value\":");
    writeValue(json, pair.value);
    json.raw('}');
  }

  private static void writeValue(JsonText json, Object value) {
    if (value instanceof Double number) {
      json.raw("{\"doubleValue\":").number(number.doubleValue()).raw('}');
    } else if (value instanceof Number number) {
      json.raw("{\"intValue\":\"").number(number.longValue()).raw("\"}");
    } else if (value instanceof List<?> list) {
      json.raw("{\"arrayValue\":{\"values\":[");
      for (int i = 0; i < list.size(); i++) {
        writeValue(json.raw(i == 0 ? "" : ","), list.get(i));
      }
      json.raw("]}}");
    } else {
      json.raw("{\"stringValue\":").string((String) value).raw('}');
    }
  }
}
