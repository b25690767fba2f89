package io.rollscope.formats.json;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file that grows by whole JSON lines. A reader that follows it sees a line after {@link #flush}
 * at the latest, and never more than one unfinished line.
 */
public final class JsonLinesFile implements AutoCloseable {
  private static final int WRITE_AT = 1 << 16;

  private final OutputStream out;
  private final JsonText waiting = new JsonText();
  private long size;

  /** Opens a file to append to it; it and its folder are made if they are not there. */
  public JsonLinesFile(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    // Not a channel: an interrupt would close it and lose what waits.
    out = new FileOutputStream(file.toFile(), true);
    size = Files.size(file);
  }

  /** Bytes in the file, with those that wait to be written. */
  public long size() {
    return size;
  }

  /** Adds a line; the line end is added here. */
  public void append(JsonText line) throws IOException {
    waiting.raw(line).raw('\n');
    size += line.length() + 1L;
    if (waiting.length() >= WRITE_AT) {
      flush();
    }
  }

  /** Makes every line visible to other processes. */
  public void flush() throws IOException {
    if (waiting.length() > 0) {
      waiting.drainTo(out);
    }
  }

  @Override
  public void close() throws IOException {
    try (out) {
      flush();
    }
  }
}
