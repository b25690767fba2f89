package io.rollscope.sdk.internal.span;

import java.math.BigInteger;
import java.util.Collection;
import java.util.Set;

/**
 * Turns what callers give into what can wait: immutable, short, and of a type OTLP knows (text,
 * boolean, 64-bit integer, double, or an array of one of them). Null means: left out.
 */
public final class Values {
  /** Longer text counts against the budget. */
  static final int SHORT = 256;

  static final int MAX_ELEMENTS = 1_024;

  private static final Set<String> CONTENT =
      Set.of(
          "gen_ai.prompt",
          "gen_ai.completion",
          "gen_ai.input.messages",
          "gen_ai.output.messages",
          "gen_ai.system_instructions",
          "gen_ai.tool.call.arguments",
          "gen_ai.tool.call.result",
          "prompt",
          "completion",
          "response",
          "messages");

  private final int maxText;
  private final int maxContent;
  private final TextBudget budget;

  /**
   * @param maxText most characters of a value
   * @param maxContent most characters of prompts and completions; 0 leaves them out
   */
  public Values(int maxText, int maxContent, TextBudget budget) {
    this.maxText = maxText;
    this.maxContent = maxContent;
    this.budget = budget;
  }

  TextBudget budget() {
    return budget;
  }

  /** Whether the value of this key is prompt or completion text that nobody asked for. */
  boolean isUnwanted(String key) {
    return maxContent == 0 && CONTENT.contains(key);
  }

  /** Text for an attribute, cut where it must be. */
  String text(String key, String text) {
    int max = maxText;
    if (text.length() > SHORT && maxContent != 0 && CONTENT.contains(key)) {
      max = maxContent;
    }
    return cut(text, max);
  }

  /**
   * Whether what was made of a value is only a part of it. Prompts are as long as was asked for.
   */
  boolean isCut(String key, Object value, Object own) {
    try {
      return !CONTENT.contains(key) && isPart(value, own);
    } catch (Throwable e) {
      return false; // Of a value that says nothing of itself nobody knows.
    }
  }

  private boolean isPart(Object value, Object own) {
    if (own instanceof String text) {
      return value instanceof CharSequence given
          ? given.length() > text.length()
          : text.length() >= maxText;
    }
    return own.getClass().isArray() && Lists.isCut(value, own);
  }

  /** At most that long, and never half a character. */
  public static String cut(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    boolean splits = max > 0 && Character.isHighSurrogate(text.charAt(max - 1));
    return text.substring(0, splits ? max - 1 : max);
  }

  /** Whatever the value does when it is asked: it may be anybody's class. */
  Object of(String key, Object value) {
    try {
      return converted(key, value);
    } catch (Throwable e) {
      return typeName(value);
    }
  }

  private Object converted(String key, Object value) {
    if (value == null || value instanceof Boolean || value instanceof Long) {
      return value;
    }
    if (value instanceof CharSequence || value instanceof Character) {
      return text(key, string(value));
    }
    if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
      return ((Number) value).longValue();
    }
    if (value instanceof Double || value instanceof Float) {
      return ((Number) value).doubleValue();
    }
    if (value instanceof BigInteger big && big.bitLength() < 64) {
      return big.longValue();
    }
    Object list = list(key, value);
    return list != null ? list : text(key, string(value));
  }

  private Object list(String key, Object value) {
    if (value instanceof long[] longs) {
      return java.util.Arrays.copyOf(longs, Math.min(longs.length, MAX_ELEMENTS));
    }
    if (value instanceof double[] doubles) {
      return java.util.Arrays.copyOf(doubles, Math.min(doubles.length, MAX_ELEMENTS));
    }
    if (value instanceof int[] ints) {
      return java.util.Arrays.stream(ints).limit(MAX_ELEMENTS).asLongStream().toArray();
    }
    if (value instanceof Object[] array) {
      return Lists.of(array, this, key);
    }
    if (value instanceof Collection<?> collection) {
      try {
        return Lists.of(collection.stream().limit(MAX_ELEMENTS).toArray(), this, key);
      } catch (Throwable e) {
        return null; // Changed meanwhile, or its iterator fails: then its text.
      }
    }
    return null;
  }

  /** The value's own words. */
  static String string(Object value) {
    try {
      String text = value.toString();
      return text == null ? "null" : text;
    } catch (Throwable e) {
      return typeName(value);
    }
  }

  private static String typeName(Object value) {
    String name = value.getClass().getName();
    return "<" + name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1) + ">";
  }
}
