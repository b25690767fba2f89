package io.rollscope.store.segment;

import java.io.IOException;

/** The list of segments is lost, or nobody can read it. */
final class DamagedManifestException extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedManifestException(String message, Throwable cause) {
    super(message, cause);
  }
}
