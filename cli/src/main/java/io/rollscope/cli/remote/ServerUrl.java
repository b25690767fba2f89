package io.rollscope.cli.remote;

import io.rollscope.cli.problem.WrongUsage;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

/** What users type for a server's address. */
public final class ServerUrl {
  /** Where a server is unless it was told otherwise. */
  public static final String DEFAULT = "http://127.0.0.1:18080";

  private static final Pattern WITH_SCHEME = Pattern.compile("(?i)https?://.*");
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]):[0-9]{1,5}/?");

  private ServerUrl() {}

  /** Whether a source is a server and not a folder: a folder called {@code a:1} is a folder. */
  public static boolean isMeant(String source) {
    return WITH_SCHEME.matcher(source).matches()
        || HOST_AND_PORT.matcher(source).matches() && !isPath(source);
  }

  private static boolean isPath(String source) {
    try {
      return Files.exists(Path.of(source));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /**
   * The address, without a slash at the end; without a scheme it means http.
   *
   * @param option what the user gave it as, for the complaint
   */
  public static URI parse(String option, String given) {
    boolean web = WITH_SCHEME.matcher(given).matches();
    String text = web ? given : "http://" + given;
    try {
      if (!web && given.contains("://")) {
        throw new IllegalArgumentException("another scheme");
      }
      URI uri = URI.create(text.replaceFirst("/+$", ""));
      boolean plain = uri.getRawQuery() == null && uri.getRawFragment() == null;
      if (uri.getHost() != null && uri.getPort() <= 65_535 && plain && uri.getUserInfo() == null) {
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        return URI.create(scheme + uri.toString().substring(scheme.length()));
      }
    } catch (IllegalArgumentException e) {
      // said below, together with what parses and is no address of a server
    }
    throw new WrongUsage(option, given, "a server's address such as " + DEFAULT);
  }
}
