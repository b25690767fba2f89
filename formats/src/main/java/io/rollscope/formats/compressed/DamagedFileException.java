package io.rollscope.formats.compressed;

import java.io.IOException;

/** A compressed file holds something that is not what its format allows; what follows is lost. */
public final class DamagedFileException extends IOException {
  private static final long serialVersionUID = 1L;

  public DamagedFileException(String what) {
    super(what + "; the rest is not read");
  }

  DamagedFileException(long offset, String what, String expected) {
    this("byte " + offset + ": " + what + " (expected: " + expected + ")");
  }
}
