package io.rollscope.store;

import io.rollscope.store.disk.AppendFile;
import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.ReadFile;
import io.rollscope.store.journal.Position;
import io.rollscope.store.metric.BookFile;
import io.rollscope.store.metric.MetricBook;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Where series stand, kept in a file that is written before the journal behind it goes. */
final class KeptBook {
  private static final String FILE = "metrics.state";
  private static final String FRESH = FILE + ".new";

  private final Disk disk;
  private final Path folder;
  private final MetricBook book = new MetricBook();

  KeptBook(Disk disk, Path folder) {
    this.disk = disk;
    this.folder = folder;
  }

  MetricBook book() {
    return book;
  }

  /** Reads the file. Returns how far in the journal it has come. */
  Position read() throws IOException {
    disk.delete(folder.resolve(FRESH));
    if (!disk.list(folder).contains(FILE)) {
      return new Position(0, 0);
    }
    ByteBuffer bytes;
    try (ReadFile in = disk.openForRead(folder.resolve(FILE))) {
      bytes = ByteBuffer.allocate(Math.toIntExact(in.size()));
      in.read(bytes, 0);
    }
    try {
      return BookFile.read(unpacked(bytes.array()), book);
    } catch (IOException e) {
      System.err.println(
          "rollscope: " + folder.resolve(FILE) + ": " + e.getMessage() + "; counters start anew");
      return new Position(0, 0);
    }
  }

  /** Fails if a bit is wrong: what is packed has a checksum. */
  private static byte[] unpacked(byte[] packed) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return in.readAllBytes();
    }
  }

  private static byte[] packed(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream(bytes.length / 4);
    try (GZIPOutputStream out = new GZIPOutputStream(packed, 1 << 16)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  /** The book as it is; the caller holds the store's lock. */
  byte[] bytes(Position position) {
    return BookFile.bytes(book, position);
  }

  /** Makes it the one that the next start reads. */
  void write(byte[] bytes) throws IOException {
    Path fresh = folder.resolve(FRESH);
    disk.delete(fresh);
    try (AppendFile out = disk.openForAppend(fresh)) {
      out.write(ByteBuffer.wrap(packed(bytes)));
      out.force();
    }
    disk.rename(fresh, folder.resolve(FILE));
    disk.forceFolder(folder);
  }
}
