package io.rollscope.cli.process;

import io.rollscope.cli.config.Settings;
import io.rollscope.cli.problem.Failure;
import io.rollscope.server.Collector;
import io.rollscope.server.ServerOptions;
import io.rollscope.server.ServerOptions.WatchedFolder;
import io.rollscope.server.StartException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A collector in this process, announced in its data folder as long as it runs. */
public final class ForegroundServer implements Closeable {
  private final DataFolder folder;
  private final Collector collector;
  private final ServerState state;

  private ForegroundServer(DataFolder folder, Collector collector, ServerState state) {
    this.folder = folder;
    this.collector = collector;
    this.state = state;
  }

  /**
   * Starts the collector; when this returns, its ports answer.
   *
   * @param watch folders to follow
   * @param format id of the format of all their files, or null
   * @param run id of the run for files that name none, or null
   */
  public static ForegroundServer start(
      Settings settings,
      Map<String, String> environment,
      List<Path> watch,
      String format,
      String run,
      String version)
      throws IOException {
    List<WatchedFolder> watched =
        watch.stream().map(path -> new WatchedFolder(path, format, run)).toList();
    ServerOptions options = ServerSetup.options(settings, environment, watched);
    DataFolder folder = new DataFolder(options.data());
    folder.prepare();
    ServerLog.configure();
    Collector collector;
    try {
      collector = Collector.start(options);
    } catch (StartException e) {
      throw new Failure(e.getMessage(), e);
    }
    ProcessIdentity self = ProcessIdentity.own();
    ServerState state =
        new ServerState(
            self.pid(),
            self.start(),
            collector.url().toString(),
            collector.otlpHttp().toString(),
            collector.otlpGrpc(),
            version,
            options.tls() == null ? null : options.tls().certificate().toAbsolutePath().toString(),
            collector.token() == null ? null : folder.token().toString());
    try {
      state.write(folder);
    } catch (IOException e) {
      collector.close();
      throw e;
    }
    return new ForegroundServer(folder, collector, state);
  }

  public ServerReport report() {
    return ServerReport.running(state, folder);
  }

  /** The token clients must send, or null when none is needed. */
  public String token() {
    return collector.token();
  }

  @Override
  public void close() throws IOException {
    try {
      collector.close();
    } finally {
      state.remove(folder);
    }
  }
}
