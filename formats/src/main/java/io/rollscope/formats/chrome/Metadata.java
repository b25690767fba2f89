package io.rollscope.formats.chrome;

import io.rollscope.formats.scan.BadLineException;

/** The metadata events that a conversion takes out and writes anew. */
enum Metadata {
  PROCESS_NAME("process_name"),
  PROCESS_SORT_INDEX("process_sort_index"),
  THREAD_NAME("thread_name"),
  THREAD_SORT_INDEX("thread_sort_index");

  private final String word;

  Metadata(String word) {
    this.word = word;
  }

  /** Which one the event is, or null: other metadata is kept like any event. */
  static Metadata of(EventLine event) throws BadLineException {
    if (event.phase() != 'M' || !event.name.isThere()) {
      return null;
    }
    String name = event.text(event.name);
    for (Metadata kind : values()) {
      if (kind.word.equals(name)) {
        return kind;
      }
    }
    return null;
  }

  String word() {
    return word;
  }

  boolean isName() {
    return this == PROCESS_NAME || this == THREAD_NAME;
  }
}
