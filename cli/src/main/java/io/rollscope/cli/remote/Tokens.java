package io.rollscope.cli.remote;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Finds the token to send: the one given, else the environment's, else the data folder's. */
public final class Tokens {
  private Tokens() {}

  /**
   * The token, or null when there is none.
   *
   * @param given what the user gave, or null
   */
  public static String find(String given, Map<String, String> environment, Path data)
      throws IOException {
    if (given != null) {
      return given;
    }
    String set = environment.get("ROLLSCOPE_TOKEN");
    if (set != null && !set.isBlank()) {
      return set.strip();
    }
    Path file = data.resolve("token");
    if (!Files.isReadable(file)) {
      return null;
    }
    String kept = Files.readString(file).strip();
    return kept.isEmpty() ? null : kept;
  }
}
