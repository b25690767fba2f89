package io.rollscope.sdk.internal.span;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collection;

/** Lists as attribute values: only those whose elements are of one type. */
final class Lists {
  private Lists() {}

  /** An array of one of OTLP's types, or null if the elements are not of one. */
  static Object of(Object[] elements, Values values, String key) {
    Object[] own =
        Arrays.copyOf(elements, Math.min(elements.length, Values.MAX_ELEMENTS), Object[].class);
    if (own.length == 0) {
      return new String[0];
    }
    for (int i = 0; i < own.length; i++) {
      own[i] = scalar(own[i], values, key);
      if (own[i] == null || own[i].getClass() != own[0].getClass()) {
        return null;
      }
    }
    return typed(own);
  }

  /** Whether a list has fewer elements than were given, or shorter ones. */
  static boolean isCut(Object value, Object own) {
    int size =
        value instanceof Collection<?> all
            ? all.size()
            : value.getClass().isArray() ? Array.getLength(value) : 0;
    return size > Array.getLength(own) || own instanceof String[] texts && isCut(value, texts);
  }

  private static boolean isCut(Object value, String[] own) {
    Object[] given = value instanceof Collection<?> all ? all.toArray() : (Object[]) value;
    for (int i = 0; i < own.length; i++) {
      if (given[i] instanceof CharSequence text && text.length() > own[i].length()) {
        return true;
      }
    }
    return false;
  }

  private static Object scalar(Object element, Values values, String key) {
    if (element instanceof CharSequence
        || element instanceof Boolean
        || element instanceof Number) {
      Object value = values.of(key, element);
      return element instanceof CharSequence ? Values.cut((String) value, Values.SHORT) : value;
    }
    return null;
  }

  private static Object typed(Object[] own) {
    if (own[0] instanceof Long) {
      return Arrays.stream(own).mapToLong(e -> (Long) e).toArray();
    }
    if (own[0] instanceof Double) {
      return Arrays.stream(own).mapToDouble(e -> (Double) e).toArray();
    }
    if (own[0] instanceof Boolean) {
      boolean[] flags = new boolean[own.length];
      for (int i = 0; i < flags.length; i++) {
        flags[i] = (Boolean) own[i];
      }
      return flags;
    }
    return Arrays.copyOf(own, own.length, String[].class);
  }
}
