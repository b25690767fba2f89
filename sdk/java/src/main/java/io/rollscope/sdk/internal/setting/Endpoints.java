package io.rollscope.sdk.internal.setting;

import io.rollscope.sdk.Signal;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Addresses of collectors. */
public final class Endpoints {
  static final String EXPECTED = "host:port, or http://host:port";
  private static final String DEFAULT = "http://127.0.0.1:4318";

  private Endpoints() {}

  /**
   * Below a base address.
   *
   * @throws IllegalArgumentException for what is none
   */
  public static Map<Signal, URI> below(String base) {
    String plain = address(base).toString().replaceFirst("/+$", "");
    Map<Signal, URI> all = new EnumMap<>(Signal.class);
    for (Signal signal : Signal.values()) {
      all.put(signal, URI.create(plain + signal.path()));
    }
    return all;
  }

  /** What is configured, or null if nothing is. */
  static Map<Signal, URI> in(Environment environment) {
    Map<Signal, URI> all = null;
    for (String name : new String[] {"ROLLSCOPE_URL", "OTEL_EXPORTER_OTLP_ENDPOINT"}) {
      String value = environment.text(name);
      if (value != null && all == null) {
        all = belowOrNull(environment, name, value);
      }
    }
    boolean own = environment.text("ROLLSCOPE_URL") != null && all != null;
    return own ? all : single(environment, all);
  }

  private static Map<Signal, URI> belowOrNull(Environment environment, String name, String value) {
    try {
      return below(value);
    } catch (IllegalArgumentException e) {
      environment.warn(name, value, EXPECTED);
      return null;
    }
  }

  /** OpenTelemetry's variables for one signal are taken as they are. */
  private static Map<Signal, URI> single(Environment environment, Map<Signal, URI> others) {
    Map<Signal, URI> all = others;
    for (Signal signal : Signal.values()) {
      String name = "OTEL_EXPORTER_OTLP_" + signal.name() + "_ENDPOINT";
      String value = environment.text(name);
      if (value != null) {
        try {
          URI address = address(value);
          all = all == null ? below(DEFAULT) : all;
          all.put(signal, address);
        } catch (IllegalArgumentException e) {
          environment.warn(name, value, EXPECTED);
        }
      }
    }
    return all;
  }

  static Map<Signal, URI> usual() {
    return below(DEFAULT);
  }

  private static URI address(String text) {
    String whole = text.contains("://") ? text : "http://" + text;
    try {
      URI uri = new URI(whole);
      String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
      boolean known = scheme.equals("http") || scheme.equals("https");
      if (known && uri.getHost() != null && uri.getPort() <= 65_535) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // Told below, as a wrong scheme is.
    }
    throw new IllegalArgumentException("endpoint: " + text + " (expected: " + EXPECTED + ")");
  }
}
