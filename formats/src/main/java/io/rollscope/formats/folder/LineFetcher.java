package io.rollscope.formats.folder;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads single lines again, to show what a row came from. */
public final class LineFetcher {
  private static final int MAX_SHOWN = 1 << 20;

  private final List<TraceFile> files;

  public LineFetcher(List<TraceFile> files) {
    this.files = files;
  }

  /** The line at this place, cut at 1 MiB; null if the file is gone or no longer has it. */
  public String line(int file, long offset) throws IOException {
    try {
      return read(file, offset);
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  private String read(int file, long offset) throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(files.get(file).path().toFile(), "r")) {
      if (offset >= in.length()) {
        return null;
      }
      in.seek(offset);
      byte[] bytes = new byte[(int) Math.min(4096, in.length() - offset)];
      int filled = 0;
      while (true) {
        int n = in.read(bytes, filled, bytes.length - filled);
        for (int i = filled; i < filled + n; i++) {
          if (bytes[i] == '\n') {
            return new String(bytes, 0, i, StandardCharsets.UTF_8);
          }
        }
        filled += Math.max(0, n);
        if (n <= 0 || filled >= MAX_SHOWN) {
          return new String(bytes, 0, filled, StandardCharsets.UTF_8);
        }
        if (filled == bytes.length) {
          bytes = java.util.Arrays.copyOf(bytes, Math.min(MAX_SHOWN, filled * 2));
        }
      }
    }
  }
}
