package io.rollscope.cli.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the log of a detached server within bounds: when it has grown too large, what it holds goes
 * to {@code server.log.1} and it begins anew. The file is emptied rather than renamed, because the
 * virtual machine itself writes to it too, in append mode; a line written in the very moment
 * between may get lost.
 */
public final class LogLimit {
  private static final long MOST_BYTES = 10_000_000;
  private static final long EVERY_S = 10;

  private LogLimit() {}

  /** Looks after the log until the process ends. */
  public static void watch(Path log) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (true) {
                  enforce(log, MOST_BYTES);
                  TimeUnit.SECONDS.sleep(EVERY_S);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "rollscope-log-limit");
    thread.setDaemon(true);
    thread.start();
  }

  static void enforce(Path log, long most) {
    try {
      if (Files.size(log) > most) {
        Path older = log.resolveSibling(log.getFileName() + ".1");
        Files.copy(log, older, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel file = FileChannel.open(log, StandardOpenOption.WRITE)) {
          file.truncate(0);
        }
      }
    } catch (IOException e) {
      System.err.println("warning: " + log + " grows without limit: " + e.getMessage());
    }
  }
}
