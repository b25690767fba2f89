package io.rollscope.store.journal;

import java.io.IOException;
import java.nio.file.Path;

/** Another process, or another part of this one, writes to the folder. */
public final class JournalLockedException extends IOException {
  public JournalLockedException(Path folder, String holder, Throwable cause) {
    super("journal folder " + folder + ": in use by " + holder + " (expected: one writer)", cause);
  }
}
