package io.rollscope.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/** A secret that can be compared, in a time that tells nothing, but not read back. */
final class Secret {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int RANDOM_BYTES = 32;

  private final byte[] digest;

  Secret(String text) {
    this.digest = digest(text);
  }

  boolean is(String candidate) {
    return candidate != null && MessageDigest.isEqual(digest, digest(candidate));
  }

  /** A new one that nobody guesses, fit for headers and URLs. */
  static String random() {
    byte[] bytes = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM has SHA-256", e);
    }
  }
}
