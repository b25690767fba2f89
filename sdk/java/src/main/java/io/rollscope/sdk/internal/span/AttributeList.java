package io.rollscope.sdk.internal.span;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * Keys and values in turn, in the order they were set. Appending is all that happens on the
 * caller's thread; of a key that occurs twice the later value counts, which is for the encoder to
 * see. One thread at a time may write; others may read meanwhile, {@link #size()} first: places
 * below it are filled.
 */
public final class AttributeList {
  static final int MAX = 128;

  /** Longest list of names of what was cut. */
  private static final int MAX_CUT_NAMES = 200;

  /** Beyond this many, a key is looked for first, so that a loop that sets one key stays small. */
  private static final int APPENDED_BLINDLY = 16;

  private static final AtomicIntegerFieldUpdater<AttributeList> SIZE =
      AtomicIntegerFieldUpdater.newUpdater(AttributeList.class, "size");

  private Object[] entries = new Object[8];
  private volatile int size;
  private int left;
  private int reserved;
  private int cut;
  private String cutNames = "";

  /** Keys and values in turn. */
  public Object[] entries() {
    return entries;
  }

  /** How many places of {@link #entries()} are filled. */
  public int size() {
    return size;
  }

  /** How many attributes found no place. */
  public int left() {
    return left;
  }

  /** How many attributes were shortened or found no place. */
  public int cut() {
    return cut;
  }

  /** The same and which ones, for people; null if nothing was cut. */
  public String cutText() {
    return cut == 0 ? null : cut + ": " + Values.cut(cutNames, MAX_CUT_NAMES);
  }

  private void countCut(String key) {
    cut++;
    if (cutNames.length() < MAX_CUT_NAMES) {
      cutNames += cutNames.isEmpty() ? key : ", " + key;
    }
  }

  void putText(String key, String value, Values values) {
    if (key == null || key.isEmpty() || value == null || values.isUnwanted(key)) {
      return;
    }
    if (value.length() <= Values.SHORT) {
      append(key, value);
    } else {
      put(key, value, values);
    }
  }

  /** Of a type that takes no room. */
  void putSmall(String key, Object value) {
    if (key != null && !key.isEmpty()) {
      append(key, value);
    }
  }

  void put(String key, Object value, Values values) {
    if (key == null || key.isEmpty() || values.isUnwanted(key)) {
      return;
    }
    Object own = values.of(key, value);
    if (own != null) {
      putOwn(key, own, values.isCut(key, value, own), values.budget());
    }
  }

  /**
   * Puts what {@link Values} made.
   *
   * @param shortened whether it is only a part of what was given
   */
  @SuppressWarnings("ReferenceEquality") // What is kept whole is the same object.
  void putOwn(String key, Object own, boolean shortened, TextBudget budget) {
    Object kept = affordable(own, budget);
    if (shortened || kept != own) {
      countCut(key);
    }
    append(key, kept);
  }

  private Object affordable(Object value, TextBudget budget) {
    int weight = weight(value);
    if (weight <= Values.SHORT) {
      return value;
    }
    if (budget.reserve(weight)) {
      reserved += weight;
      return value;
    }
    return value instanceof String text ? Values.cut(text, Values.SHORT) : "(left out)";
  }

  private static int weight(Object value) {
    if (value instanceof String text) {
      return text.length();
    }
    if (value instanceof String[] texts) {
      return Arrays.stream(texts).mapToInt(t -> 8 + t.length()).sum();
    }
    return value.getClass().isArray() ? 8 * java.lang.reflect.Array.getLength(value) : 0;
  }

  private void append(String key, Object value) {
    int at = size;
    if (at >= 2 * APPENDED_BLINDLY && replace(key, value)) {
      return;
    }
    if (at == 2 * MAX) {
      left++;
      countCut(key);
      return;
    }
    if (at == entries.length) {
      entries = Arrays.copyOf(entries, 2 * at);
    }
    entries[at] = key;
    entries[at + 1] = value;
    SIZE.lazySet(this, at + 2);
  }

  private boolean replace(String key, Object value) {
    for (int i = size - 2; i >= 0; i -= 2) {
      if (entries[i].equals(key)) {
        VarHandle.releaseFence(); // A list must be whole before the sender can see it.
        entries[i + 1] = value;
        return true;
      }
    }
    return false;
  }

  /** This one, and after it another. */
  AttributeList and(AttributeList other) {
    AttributeList both = copy();
    int more = other.size();
    for (int i = 0; i < more; i += 2) {
      both.append((String) other.entries[i], other.entries[i + 1]);
    }
    both.left += other.left;
    both.cut += other.cut;
    both.cutNames =
        both.cutNames.isEmpty() || other.cutNames.isEmpty()
            ? both.cutNames + other.cutNames
            : both.cutNames + ", " + other.cutNames;
    return both;
  }

  /** Another one with the same; long texts count for the first only. */
  AttributeList copy() {
    AttributeList other = new AttributeList();
    int filled = size;
    other.entries = Arrays.copyOf(entries, Math.max(8, filled));
    other.size = filled;
    other.left = left;
    other.cut = cut;
    other.cutNames = cutNames;
    return other;
  }

  /** Gives back what it has of the budget. */
  void release(TextBudget budget) {
    if (reserved > 0) {
      budget.release(reserved);
      reserved = 0;
    }
  }
}
