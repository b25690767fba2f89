package io.rollscope.cli.stack;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;

/** Whether a program can be used, as it says itself. */
final class Ready {
  private static final int PATIENCE_MS = 2_000;

  private Ready() {}

  /** Null when ready, else why not. */
  static String whyNot(String url) {
    HttpURLConnection connection = null;
    try {
      connection =
          (HttpURLConnection) URI.create(url).toURL().openConnection(java.net.Proxy.NO_PROXY);
      connection.setConnectTimeout(PATIENCE_MS);
      connection.setReadTimeout(PATIENCE_MS);
      int status = connection.getResponseCode();
      return status == HttpURLConnection.HTTP_OK ? null : url + " answers " + status;
    } catch (IOException e) {
      return url + " does not answer";
    } finally {
      if (connection != null) {
        connection.disconnect();
      }
    }
  }
}
