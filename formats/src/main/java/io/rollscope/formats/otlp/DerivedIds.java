package io.rollscope.formats.otlp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Ids for spans whose source has none, derived from what identifies them, so that exporting twice
 * gives the same ids.
 */
public final class DerivedIds {
  private static final int TRACE_BYTES = 16;
  private static final int SPAN_BYTES = 8;

  private final MessageDigest digest;
  private final String run;

  public DerivedIds(String run) {
    this.run = run;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Java without SHA-256", e);
    }
  }

  /** The trace's own id if it is one for OTLP, else one derived from it. */
  public String trace(String traceId) {
    if (traceId.matches("[0-9a-f]{32}") && !traceId.matches("0+")) {
      return traceId;
    }
    part(run);
    part(traceId);
    return finish(TRACE_BYTES);
  }

  /**
   * The id of a span.
   *
   * @param firstNs time of its first event
   * @param occurrence how many of that name and time came before it in its trace
   */
  public String span(String traceId, String name, long firstNs, int occurrence) {
    part(run);
    part(traceId);
    part(name);
    digest.update(ByteBuffer.allocate(12).putLong(firstNs).putInt(occurrence).flip());
    return finish(SPAN_BYTES);
  }

  private void part(String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    // Ends the part, so that "a" + "bc" is not "ab" + "c".
    digest.update((byte) 0);
  }

  private String finish(int bytes) {
    byte[] id = Arrays.copyOf(digest.digest(), bytes);
    // All zero is not allowed.
    id[bytes - 1] |= allZero(id) ? (byte) 1 : 0;
    return HexFormat.of().formatHex(id);
  }

  private static boolean allZero(byte[] id) {
    for (byte b : id) {
      if (b != 0) {
        return false;
      }
    }
    return true;
  }
}
