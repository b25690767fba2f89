package io.rollscope.cli.process;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder that goes with everything in it, also at Ctrl+C. */
public final class TemporaryFolder implements Closeable {
  private final Path path;
  private final Thread atExit;

  private TemporaryFolder(Path path) {
    this.path = path;
    atExit = new Thread(() -> delete(path));
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** A new one inside another folder. */
  public static TemporaryFolder in(Path folder) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(folder, ".rollscope-"));
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
      delete(path);
    } catch (IllegalStateException e) {
      // It is being deleted: the process ends.
    }
  }

  /** Deletes a folder with everything in it. */
  public static void delete(Path folder) {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path each : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException e) {
      System.err.println("note: could not delete " + folder);
    }
  }
}
