package io.rollscope.store.journal;

import java.io.IOException;

/** A newer Rollscope wrote this file; opening is refused before anything is changed. */
public final class JournalVersionException extends IOException {
  JournalVersionException(String file, int version, int supported) {
    super(
        String.format(
            "journal file %s: format version %d (expected: 1 to %d; a newer Rollscope wrote it,"
                + " use that one)",
            file, version, supported));
  }
}
