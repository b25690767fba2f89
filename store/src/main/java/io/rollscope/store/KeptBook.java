package io.rollscope.store;

import io.rollscope.store.disk.AppendFile;
import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.ReadFile;
import io.rollscope.store.journal.Position;
import io.rollscope.store.metric.BookFile;
import io.rollscope.store.metric.MetricBook;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

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
      return BookFile.read(bytes.array(), book);
    } catch (IOException e) {
      System.err.println(
          "rollscope: " + folder.resolve(FILE) + ": " + e.getMessage() + "; counters start anew");
      return new Position(0, 0);
    }
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
      out.write(ByteBuffer.wrap(bytes));
      out.force();
    }
    disk.rename(fresh, folder.resolve(FILE));
    disk.forceFolder(folder);
  }
}
