package io.rollscope.sdk.internal.viewer;

import io.rollscope.sdk.Signal;
import io.rollscope.sdk.internal.Warnings;
import io.rollscope.sdk.internal.setting.Endpoints;
import io.rollscope.sdk.internal.setting.Settings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A server that belongs to this process, or one that was there already, which is left alone. */
public final class Viewer implements AutoCloseable {
  private static final int PAGE_PORT = 18080;
  private static final int ANSWER_MS = 3_000;
  private static final Viewer NONE = new Viewer(null, null);

  private final Child child;
  private final Map<Signal, URI> endpoints;

  private Viewer(Child child, Map<Signal, URI> endpoints) {
    this.child = child;
    this.endpoints = endpoints;
  }

  /**
   * Starts it for the process of rank 0, if it is wanted, and waits until it answers. Without one
   * there is a warning, and the training goes on.
   */
  public static Viewer start(
      Settings settings, Map<String, String> variables, Warnings warnings, Consumer<String> out) {
    boolean first = settings.rank() == null || settings.rank() == 0;
    if (!settings.viewer() || !first) {
      return NONE;
    }
    try {
      Launcher launcher = Launcher.find(settings.home(), variables);
      return settings.spool() != null
          ? watch(settings, launcher, out)
          : serve(settings, launcher, out);
    } catch (ViewerException | IOException e) {
      warnings.once("viewer", "no viewer: " + e.getMessage() + "; the training goes on without it");
      return NONE;
    }
  }

  /** The spool keeps everything: what is read from it need not stay. */
  private static Viewer watch(Settings settings, Launcher launcher, Consumer<String> out)
      throws ViewerException, IOException {
    Files.createDirectories(settings.spool().root());
    Path scratch = Files.createTempDirectory("rollscope-viewer-");
    Child child =
        Child.start(
            launcher,
            List.of(
                "watch",
                settings.spool().root().toAbsolutePath().toString(),
                "--data",
                scratch.resolve("data").toString(),
                "--otlp-http-port",
                "0"),
            freePort(PAGE_PORT),
            settings.token(),
            scratch);
    out.accept("Rollscope: " + child.url());
    return new Viewer(child, null);
  }

  private static Viewer serve(Settings settings, Launcher launcher, Consumer<String> out)
      throws ViewerException, IOException {
    if (settings.endpoints() == null) {
      throw new ViewerException("the transport is not ours (expected: OTLP or a spool)");
    }
    URI wanted = settings.endpoints().get(Signal.TRACES);
    int port = wanted.getPort() < 0 ? 80 : wanted.getPort();
    String host = wanted.getHost();
    if (answers(host, port)) {
      out.accept("Rollscope: " + wanted.resolve("/") + " (there already)");
      return NONE;
    }
    if (!host.equals("localhost") && !host.startsWith("127.")) {
      throw new ViewerException(
          host + ":" + port + " does not answer (expected: a server there, or this machine)");
    }
    Child child =
        Child.start(
            launcher,
            List.of("server", "start", "--otlp-http-port", Integer.toString(port)),
            freePort(PAGE_PORT),
            settings.token(),
            Files.createTempDirectory("rollscope-viewer-"));
    out.accept("Rollscope: " + child.url());
    return new Viewer(child, Endpoints.below(child.otlpHttp()));
  }

  private static boolean answers(String host, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), ANSWER_MS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** The usual one, which people have in their bookmarks, or 0 for any. */
  private static int freePort(int usual) {
    return answers("127.0.0.1", usual) ? 0 : usual;
  }

  /** Where to send instead, or null. */
  public Map<Signal, URI> endpoints() {
    return endpoints;
  }

  @Override
  public void close() {
    if (child != null) {
      child.stop();
    }
  }
}
