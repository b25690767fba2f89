package io.rollscope.store.disk;

import java.io.IOException;
import java.nio.file.Path;

/** Somebody else holds the lock. */
public final class DiskLockedException extends IOException {
  private final String holder;

  public DiskLockedException(Path file, String holder) {
    super("lock " + file + ": held by " + holder + " (expected: free)");
    this.holder = holder;
  }

  /** What the holder wrote into the lock file. */
  public String holder() {
    return holder;
  }
}
