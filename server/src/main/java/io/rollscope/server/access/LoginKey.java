package io.rollscope.server.access;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** {@code <data>/login-key}: what cookies are signed with, the same over restarts. */
public final class LoginKey {
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{43}");

  private LoginKey() {}

  /** The key of an earlier start, else a new one, which is in the file now. */
  public static String keep(Path data) throws IOException {
    SecretFile file = new SecretFile(data.resolve("login-key"));
    String key = file.read().filter(k -> KEY.matcher(k).matches()).orElse(null);
    if (key == null) {
      key = Secret.random();
      file.write(key);
    }
    return key;
  }
}
