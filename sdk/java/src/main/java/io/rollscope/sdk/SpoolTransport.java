package io.rollscope.sdk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes requests into files, one per line, for clusters where a port cannot be opened. {@code
 * rollscope watch DIR} reads them while they grow. A full file is followed by a new one; none is
 * ever deleted here.
 */
public final class SpoolTransport implements Transport {
  /** When a file is full, in bytes. */
  public static final long FILE_BYTES = 64L << 20;

  private final Path folder;
  private final String prefix;
  private final long fileBytes;
  private FileChannel file;
  private long size;
  private int number;

  /**
   * @param process what tells this process from the others that write there
   */
  public SpoolTransport(Path folder, String process) {
    this(folder, process, FILE_BYTES);
  }

  SpoolTransport(Path folder, String process, long fileBytes) {
    this.folder = folder;
    this.prefix = "rollscope-" + process.replaceAll("[^A-Za-z0-9._-]", "_") + "-";
    this.fileBytes = fileBytes;
  }

  @Override
  public Form form() {
    return Form.JSON;
  }

  @Override
  public Sent send(Signal signal, byte[] body) throws IOException {
    if (file == null || size > 0 && size + body.length >= fileBytes) {
      openNext();
    }
    ByteBuffer line = ByteBuffer.allocate(body.length + 1).put(body).put((byte) '\n').flip();
    try {
      while (line.hasRemaining()) {
        file.write(line);
      }
    } catch (IOException e) {
      cutBack(e);
      throw e;
    }
    size += body.length + 1L;
    return Sent.all();
  }

  /** Half a line would spoil the one that comes after it. */
  private void cutBack(IOException cause) {
    try {
      file.truncate(size);
    } catch (IOException e) {
      cause.addSuppressed(e);
      file = null; // A reader takes the half line for what it is when another file goes on.
    }
  }

  private void openNext() throws IOException {
    close();
    Files.createDirectories(folder);
    Path next = folder.resolve(prefix + number + ".jsonl");
    file =
        FileChannel.open(
            next, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    size = file.size();
    number++;
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
      file = null;
    }
  }
}
