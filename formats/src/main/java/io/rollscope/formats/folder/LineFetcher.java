package io.rollscope.formats.folder;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;

/** Reads single lines again, to show what a row came from. */
public final class LineFetcher implements Closeable {
  private static final int MAX_OPEN = 32;
  private static final int MAX_SHOWN = 1 << 20;

  private final IntFunction<TraceFile> files;
  private final Map<Integer, ByteSource> open = new LinkedHashMap<>(16, .75f, true);
  private byte[] buffer = new byte[4096];

  /**
   * @param files by their numbers
   */
  public LineFetcher(IntFunction<TraceFile> files) {
    this.files = files;
  }

  /** The line at this place, cut at 1 MiB; null if the file is gone or no longer has it. */
  public String line(int file, long offset) throws IOException {
    try {
      return read(source(file), offset);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private String read(ByteSource source, long offset) throws IOException {
    int filled = 0;
    while (true) {
      ByteBuffer target = ByteBuffer.wrap(buffer, filled, buffer.length - filled);
      int n = source.read(target, offset + filled);
      for (int i = filled; i < filled + n; i++) {
        if (buffer[i] == '\n') {
          return text(i);
        }
      }
      filled += Math.max(0, n);
      if (n <= 0 || filled >= MAX_SHOWN) {
        return filled == 0 ? null : text(filled);
      }
      if (filled == buffer.length) {
        buffer = Arrays.copyOf(buffer, Math.min(MAX_SHOWN, 2 * filled));
      }
    }
  }

  private String text(int length) {
    return new String(buffer, 0, length, StandardCharsets.UTF_8);
  }

  private ByteSource source(int file) throws IOException {
    ByteSource known = open.get(file);
    if (known != null) {
      return known;
    }
    if (open.size() == MAX_OPEN) {
      Iterator<ByteSource> eldest = open.values().iterator();
      eldest.next().close();
      eldest.remove();
    }
    ByteSource source = ByteSource.of(files.apply(file));
    open.put(file, source);
    return source;
  }

  /** Lets go of the files; they are opened again when needed. */
  @Override
  public void close() throws IOException {
    for (ByteSource source : open.values()) {
      source.close();
    }
    open.clear();
  }
}
