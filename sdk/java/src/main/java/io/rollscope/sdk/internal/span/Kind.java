package io.rollscope.sdk.internal.span;

/** What a span is, and the word for it on the wire. */
public enum Kind {
  BATCH("batch"),
  TASK("task"),
  SESSION("session"),
  /** The default; not said, because the server knows. */
  PHASE(null),
  OP("op"),
  STATE("state");

  private final String word;

  Kind(String word) {
    this.word = word;
  }

  /** Null when nothing is said. */
  public String word() {
    return word;
  }

  /** What somebody said it is, else what it is otherwise. */
  static Kind of(String word, Kind otherwise) {
    if ("phase".equals(word)) {
      return PHASE;
    }
    for (Kind kind : values()) {
      if (kind.word != null && kind.word.equals(word)) {
        return kind;
      }
    }
    return otherwise;
  }

  /** Whether a span inside belongs to a session. */
  public boolean isInSession() {
    return this == SESSION || this == PHASE;
  }
}
