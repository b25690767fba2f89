package io.rollscope.server.scrape.book;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * Where a target is scraped.
 *
 * @param text {@code host:port}, or a URL where that does not say it all
 */
public record TargetAddress(String text, URI url) {
  private static final String PATH = "/metrics";
  private static final String EXPECTED = "HOST:PORT, or a URL with http or https";
  private static final int MAX = 1_000;
  private static final int HTTP = 80;
  private static final int HTTPS = 443;

  /** Of {@code host:port} (path {@code /metrics}) or a URL. */
  public static TargetAddress parse(String given) throws TargetException {
    if (given == null || given.isBlank()) {
      throw TargetException.wrong("target", "none", EXPECTED);
    }
    String text = given.strip();
    if (text.length() > MAX) {
      throw TargetException.wrong("target", text.length() + " characters", "at most " + MAX);
    }
    boolean full = text.contains("://");
    try {
      URI uri = new URI(full ? text : "http://" + text);
      check(text, uri, full);
      return of(uri);
    } catch (URISyntaxException e) {
      throw TargetException.wrong("target", shown(text), EXPECTED);
    }
  }

  private static void check(String text, URI uri, boolean full) throws TargetException {
    String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
    boolean web = scheme.equals("http") || scheme.equals("https");
    boolean plain = uri.getRawUserInfo() == null && uri.getRawFragment() == null;
    boolean port = uri.getPort() > 0 && uri.getPort() <= 65_535 || full && uri.getPort() == -1;
    if (!web || uri.getHost() == null || !plain || !port) {
      throw TargetException.wrong("target", shown(text), EXPECTED);
    }
  }

  private static TargetAddress of(URI uri) throws URISyntaxException {
    String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
    String host = uri.getHost().toLowerCase(Locale.ROOT);
    int usual = scheme.equals("http") ? HTTP : HTTPS;
    int port = uri.getPort() == -1 ? usual : uri.getPort();
    String path = uri.getRawPath().isEmpty() ? PATH : uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    URI url = new URI(scheme + "://" + host + ":" + port + path + query);
    boolean simple = scheme.equals("http") && path.equals(PATH) && query.isEmpty();
    return new TargetAddress(simple ? host + ":" + port : url.toString(), url);
  }

  private static String shown(String text) {
    return text.replaceAll("\\p{Cntrl}", "\uFFFD");
  }

  /** {@code host:port}, as Prometheus calls a target. */
  String hostAndPort() {
    return url.getRawAuthority();
  }

  @Override
  public String toString() {
    return text;
  }
}
