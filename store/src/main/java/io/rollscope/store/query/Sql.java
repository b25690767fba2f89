package io.rollscope.store.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A piece of SQL and the values of its question marks. Values never become part of the text. */
record Sql(String text, List<Object> values) {

  static Sql of(String text, Object... values) {
    return new Sql(text, Arrays.asList(values));
  }

  Sql plus(String more, Object... moreValues) {
    return plus(of(more, moreValues));
  }

  Sql plus(Sql other) {
    List<Object> all = new ArrayList<>(values);
    all.addAll(other.values);
    return new Sql(text + " " + other.text, all);
  }

  /** All pieces joined by AND. */
  static Sql all(List<Sql> conditions) {
    Sql joined = of("TRUE");
    for (Sql condition : conditions) {
      joined = joined.plus("AND (").plus(condition).plus(")");
    }
    return joined;
  }
}
