package io.rollscope.cli.process;

import io.rollscope.cli.problem.Failure;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A server as a process of its own, with its output in the data folder's log. */
public final class DetachedServer {
  /** Tells the new process that its output goes to the data folder's log. */
  public static final String VARIABLE = "ROLLSCOPE_DETACHED";

  private static final long LOOK_EVERY_MS = 20;
  private static final int MOST_OF_THE_LOG = 64 * 1024;
  private static final String ERROR = "rollscope: ";

  private final DataFolder folder;
  private final List<String> command;
  private final Map<String, String> variables;
  private final Duration patience;
  private final Bond bond;

  /**
   * @param command what starts the server in the foreground
   * @param variables added to its environment
   * @param patience how long it may take to start
   */
  public DetachedServer(
      DataFolder folder,
      List<String> command,
      Map<String, String> variables,
      Duration patience,
      Bond bond) {
    this.folder = folder;
    this.command = command;
    this.variables = variables;
    this.patience = patience;
    this.bond = bond;
  }

  /**
   * Starts it and waits until it answers.
   *
   * @param waiting told again and again for how long
   */
  public ServerState start(Consumer<Duration> waiting) throws IOException {
    folder.prepare();
    Path log = folder.log();
    PrivateFiles.create(log);
    long before = Files.size(log);
    Process process = launch(log);
    Thread hook = new Thread(process::destroy, "rollscope-end-half-started-server");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return awaitStart(process, log, before, waiting);
    } finally {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }

  private Process launch(Path log) throws IOException {
    List<String> line = new ArrayList<>(bond.wrapper());
    line.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().putAll(variables);
    builder.environment().put(VARIABLE, "1");
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.redirectErrorStream(true);
    return builder.start();
  }

  private ServerState awaitStart(Process process, Path log, long before, Consumer<Duration> waiting)
      throws IOException {
    long started = System.nanoTime();
    try {
      while (!process.waitFor(LOOK_EVERY_MS, TimeUnit.MILLISECONDS)) {
        Optional<ServerState> state =
            ServerState.ofLiving(folder).filter(s -> s.pid() == process.pid());
        if (state.isPresent() && state.get().answers()) {
          return state.get();
        }
        Duration waited = Duration.ofNanos(System.nanoTime() - started);
        if (waited.compareTo(patience) > 0) {
          throw Failure.of(
              "server",
              "pid " + process.pid() + " does not answer after " + patience.toSeconds() + " s",
              "a start; what it does is in " + log);
        }
        waiting.accept(waited);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new Failure(lastWords(log, before));
  }

  /** Why it ended: the last error in the log, which is one line. */
  private static String lastWords(Path log, long from) throws IOException {
    String last = "";
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long begin = Math.max(Math.min(from, file.length()), file.length() - MOST_OF_THE_LOG);
      byte[] bytes = new byte[(int) (file.length() - begin)];
      file.seek(begin);
      file.readFully(bytes);
      for (String line : new String(bytes, StandardCharsets.UTF_8).lines().toList()) {
        if (line.startsWith(ERROR)) {
          last = line.substring(ERROR.length());
        }
      }
    }
    return last.isEmpty() ? "server: ended at once (expected: a start; see " + log + ")" : last;
  }
}
