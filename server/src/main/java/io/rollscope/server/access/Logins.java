package io.rollscope.server.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Browsers that traded the token for a cookie. The cookie says when it was given out and is signed
 * with a key that outlives the server and with the token, so it ends a week later, or with the
 * token; the server remembers nothing.
 */
final class Logins {
  static final Duration LIFE = Duration.ofDays(7);

  /** A cookie this old is exchanged for a new one, so that who comes every day stays in. */
  private static final Duration FRESH = Duration.ofDays(1);

  private static final Pattern COOKIE =
      Pattern.compile("(\\d{1,12})\\.([A-Za-z0-9_-]{43})\\.([A-Za-z0-9_-]{43})");
  private static final long SECOND_NS = 1_000_000_000L;

  private final SecretKeySpec key;
  private final String token;
  private final LongSupplier clock;

  /**
   * @param key what cookies are signed with
   * @param token they are given out for
   * @param clock nanoseconds since the epoch
   */
  Logins(String key, String token, LongSupplier clock) {
    this.key = new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256");
    this.token = token;
    this.clock = clock;
  }

  /** The value of a new cookie. */
  String begin() {
    String said = clock.getAsLong() / SECOND_NS + "." + Secret.random();
    return said + "." + signature(said);
  }

  boolean knows(String value) {
    long age = ageS(value);
    return age >= 0 && age <= LIFE.toSeconds();
  }

  /** Whether a cookie is still good and old enough for a new one. */
  boolean isDue(String value) {
    return knows(value) && ageS(value) > FRESH.toSeconds();
  }

  /** Seconds since it was given out; -1 if it was not, or not yet. */
  private long ageS(String value) {
    Matcher cookie = COOKIE.matcher(value);
    if (!cookie.matches()) {
      return -1;
    }
    String said = cookie.group(1) + "." + cookie.group(2);
    boolean ours =
        MessageDigest.isEqual(
            signature(said).getBytes(StandardCharsets.US_ASCII),
            cookie.group(3).getBytes(StandardCharsets.US_ASCII));
    long age = clock.getAsLong() / SECOND_NS - Long.parseLong(cookie.group(1));
    return ours ? Math.max(age, -1) : -1;
  }

  private String signature(String said) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      byte[] signed = mac.doFinal((said + "." + token).getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(signed);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every JVM has HmacSHA256", e);
    }
  }
}
