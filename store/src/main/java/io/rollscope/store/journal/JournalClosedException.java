package io.rollscope.store.journal;

import java.io.IOException;

/** The journal is closed; the frame was never written. */
public final class JournalClosedException extends IOException {
  JournalClosedException() {
    super("journal: closed (expected: open)");
  }
}
