package io.rollscope.core.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gives each distinct value a dense number, in the order first seen. For few, rich values. */
public final class Interner<T> {
  private final Map<T, Integer> ids = new HashMap<>();
  private final List<T> values = new ArrayList<>();

  public int intern(T value) {
    Integer known = ids.get(value);
    if (known != null) {
      return known;
    }
    ids.put(value, values.size());
    values.add(value);
    return values.size() - 1;
  }

  public T get(int id) {
    return values.get(id);
  }

  public int size() {
    return values.size();
  }
}
