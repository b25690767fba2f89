package io.rollscope.otlp;

/** The values of attributes, as far as their keys mean something here. */
public interface KnownValues {
  /** As text, or null. */
  String text(Key key);

  /** As a whole number, or null. */
  default Long integer(Key key) {
    return Identity.wholeNumber(text(key));
  }

  /** False if none of these keys has a value; bits as in {@link Key#bit}. */
  default boolean mayHave(long keys) {
    return true;
  }
}
