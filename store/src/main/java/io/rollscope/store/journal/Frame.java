package io.rollscope.store.journal;

import java.util.Objects;

/**
 * What is written and read back as one piece.
 *
 * @param payload not copied: it must not change until the frame is durable
 */
public record Frame(Source source, byte[] payload) {
  public Frame {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(payload, "payload");
  }
}
