package io.rollscope.server.scrape.text;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Labels of a sample: names and values, sorted by name, none twice, none empty. */
public final class Labels {
  public static final Labels NONE = new Labels(new String[0]);

  private final String[] pairs;
  private final int hash;

  private Labels(String[] pairs) {
    this.pairs = pairs;
    this.hash = Arrays.hashCode(pairs);
  }

  /** Of a map; an empty value is as good as no label, as Prometheus has it. */
  public static Labels of(Map<String, String> labels) {
    TreeMap<String, String> sorted = new TreeMap<>(labels);
    sorted.values().removeIf(String::isEmpty);
    String[] pairs = new String[2 * sorted.size()];
    int at = 0;
    for (Map.Entry<String, String> label : sorted.entrySet()) {
      pairs[at++] = label.getKey();
      pairs[at++] = label.getValue();
    }
    return pairs.length == 0 ? NONE : new Labels(pairs);
  }

  /** The value, or null. */
  public String get(String name) {
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i].equals(name)) {
        return pairs[i + 1];
      }
    }
    return null;
  }

  /** The same without one of them. */
  public Labels without(String name) {
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i].equals(name)) {
        String[] fewer = new String[pairs.length - 2];
        System.arraycopy(pairs, 0, fewer, 0, i);
        System.arraycopy(pairs, i + 2, fewer, i, fewer.length - i);
        return fewer.length == 0 ? NONE : new Labels(fewer);
      }
    }
    return this;
  }

  public void forEach(BiConsumer<String, String> visitor) {
    for (int i = 0; i < pairs.length; i += 2) {
      visitor.accept(pairs[i], pairs[i + 1]);
    }
  }

  public boolean isEmpty() {
    return pairs.length == 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Labels l && hash == l.hash && Arrays.equals(pairs, l.pairs);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    forEach(
        (name, value) ->
            text.append(text.length() > 1 ? "," : "").append(name).append('=').append(value));
    return text.append('}').toString();
  }
}
