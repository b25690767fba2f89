package io.rollscope.cli.process;

import io.rollscope.cli.problem.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Ends the server of a data folder. */
public final class ServerEnd {
  private static final long LOOK_EVERY_MS = 20;

  private final DataFolder folder;
  private final Duration patience;
  private final Consumer<String> notes;

  /**
   * @param patience how long the server may take to close before it is killed
   */
  public ServerEnd(DataFolder folder, Duration patience, Consumer<String> notes) {
    this.folder = folder;
    this.patience = patience;
    this.notes = notes;
  }

  /** Ends it and waits for the end; the pid it had, or nothing if none was running. */
  public Optional<Long> end() throws IOException {
    Optional<ServerState> state = ServerState.ofLiving(folder);
    if (state.isEmpty()) {
      if (Files.deleteIfExists(folder.state())) {
        notes.accept("removed " + folder.state() + ", whose server is gone");
      }
      return Optional.empty();
    }
    end(state.get());
    state.get().remove(folder);
    return Optional.of(state.get().pid());
  }

  private void end(ServerState server) {
    Optional<ProcessHandle> process = server.process();
    if (process.isPresent() && !process.get().destroy() && server.process().isPresent()) {
      throw Failure.of("server", "pid " + server.pid(), "a process you may end");
    }
    if (!awaitEnd(server)) {
      notes.accept(
          "the server (pid "
              + server.pid()
              + ") did not close within "
              + patience.toSeconds()
              + " s and is killed; what it acknowledged is kept");
      server.process().ifPresent(ProcessHandle::destroyForcibly);
      awaitEnd(server);
    }
  }

  private boolean awaitEnd(ServerState server) {
    long deadline = System.nanoTime() + patience.toNanos();
    try {
      while (server.process().isPresent()) {
        if (System.nanoTime() - deadline > 0) {
          return false;
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
