package io.rollscope.server.access;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * {@code <data>/token}: where the command line on the same machine finds the token. Only its owner
 * may read it.
 */
public final class TokenFile {
  private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]{1,1000}");

  private final SecretFile file;

  public TokenFile(Path data) {
    this.file = new SecretFile(data.resolve("token"));
  }

  /** Whether it can be sent in a header. */
  public static boolean isValid(String token) {
    return TOKEN.matcher(token).matches();
  }

  /** The token given, else the one of an earlier start, else a new one; it is in the file now. */
  public String keep(String given) throws IOException {
    String token =
        given == null ? file.read().filter(TokenFile::isValid).orElseGet(Secret::random) : given;
    file.write(token);
    return token;
  }
}
