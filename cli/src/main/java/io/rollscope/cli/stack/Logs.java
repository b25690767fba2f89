package io.rollscope.cli.stack;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a program wrote. */
final class Logs {
  private static final int MOST = 16 * 1024;

  private Logs() {}

  /** The last line that says something. */
  static String lastLine(Path log) throws IOException {
    if (!Files.exists(log)) {
      return "no output";
    }
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long begin = Math.max(0, file.length() - MOST);
      byte[] bytes = new byte[(int) (file.length() - begin)];
      file.seek(begin);
      file.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank())
          .reduce((first, second) -> second)
          .orElse("no output");
    }
  }
}
