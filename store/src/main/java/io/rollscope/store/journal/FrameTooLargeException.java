package io.rollscope.store.journal;

import java.io.IOException;

/** The frame will never fit; sending it again is no use. */
public final class FrameTooLargeException extends IOException {
  FrameTooLargeException(long bytes, long limit) {
    super("frame: " + bytes + " bytes (expected: at most " + limit + ")");
  }
}
