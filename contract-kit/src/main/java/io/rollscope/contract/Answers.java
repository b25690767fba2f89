package io.rollscope.contract;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Answers as lines of path and value, so that two can be compared and their difference read. */
public final class Answers {
  /**
   * What may differ: where an answer comes from and when it was given, what only who reads files
   * can say of them, problems of receiving, and attributes of spans, of which folders show the
   * lines instead.
   */
  private static final Set<String> OF_THE_SOURCE =
      Set.of(
          "source",
          "generatedAtS",
          "skippedLines",
          "problems",
          "events",
          "attributes",
          "otherRuns");

  private static final int MOST_DIFFERENCES = 12;
  private static final double HALF_A_NANOSECOND = 0.5e-9;
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?(E-?\\d+)?");

  private Answers() {}

  /** Every value of an answer by its path, in order. Numbers are written exactly. */
  public static Map<String, String> flat(Object answer) {
    Map<String, String> lines = new LinkedHashMap<>();
    add("", answer, lines);
    return lines;
  }

  private static void add(String path, Object value, Map<String, String> lines) {
    if (value instanceof Optional<?> optional) {
      add(path, optional.orElse(null), lines);
    } else if (value instanceof Record entries) {
      for (RecordComponent component : entries.getClass().getRecordComponents()) {
        if (!OF_THE_SOURCE.contains(component.getName())) {
          add(path + "." + component.getName(), get(entries, component), lines);
        }
      }
    } else if (value instanceof Map<?, ?> map) {
      lines.put(path + ".keys", map.keySet().toString());
      map.forEach((key, element) -> add(path + "." + key, element, lines));
    } else if (value instanceof Collection<?> list) {
      lines.put(path + ".size", Integer.toString(list.size()));
      int i = 0;
      for (Object element : list) {
        add(path + "[" + i++ + "]", element, lines);
      }
    } else if (value != null && value.getClass().isArray()) {
      int length = Array.getLength(value);
      lines.put(path + ".size", Integer.toString(length));
      for (int i = 0; i < length; i++) {
        add(path + "[" + i + "]", Array.get(value, i), lines);
      }
    } else if (value instanceof Number number && isWhole(number)) {
      lines.put(path, Long.toString(number.longValue())); // 3 and 3.0 are one number in JSON.
    } else {
      lines.put(path, String.valueOf(value));
    }
  }

  private static boolean isWhole(Number number) {
    return number.doubleValue() == number.longValue();
  }

  private static Object get(Record entries, RecordComponent component) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(entries);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(component + " of " + entries, e);
    }
  }

  /** To the nanosecond: what was interpolated may differ in the last bit. */
  private static boolean isSame(String a, String b) {
    return a.equals(b)
        || (isNumber(a)
            && isNumber(b)
            && Math.abs(Double.parseDouble(a) - Double.parseDouble(b)) < HALF_A_NANOSECOND);
  }

  private static boolean isNumber(String text) {
    return NUMBER.matcher(text).matches();
  }

  /** Where two answers differ, the first few places; empty if they do not. */
  public static List<String> differences(Map<String, String> expected, Map<String, String> actual) {
    List<String> found = new ArrayList<>();
    for (Map.Entry<String, String> line : expected.entrySet()) {
      String other = actual.getOrDefault(line.getKey(), "(absent)");
      if (!isSame(line.getValue(), other)) {
        found.add(line.getKey() + ": expected " + line.getValue() + " but was " + other);
      }
    }
    for (Map.Entry<String, String> line : actual.entrySet()) {
      if (!expected.containsKey(line.getKey())) {
        found.add(line.getKey() + ": expected (absent) but was " + line.getValue());
      }
    }
    int more = found.size() - MOST_DIFFERENCES;
    if (more > 0) {
      found.subList(MOST_DIFFERENCES, found.size()).clear();
      found.add("… and " + more + " more");
    }
    return found;
  }
}
