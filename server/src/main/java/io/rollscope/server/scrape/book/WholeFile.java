package io.rollscope.server.scrape.book;

import io.rollscope.store.disk.AppendFile;
import io.rollscope.store.disk.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A file that others see as it was or as it is, never in between. */
final class WholeFile {
  private WholeFile() {}

  static void replace(Disk disk, Path file, byte[] content) throws IOException {
    // The dot keeps it out of what Prometheus watches: its name does not end in .json.
    Path fresh = file.resolveSibling("." + file.getFileName() + ".new");
    try {
      disk.delete(fresh);
      try (AppendFile out = disk.openForAppend(fresh)) {
        out.write(ByteBuffer.wrap(content));
        out.force();
      }
      disk.rename(fresh, file);
    } catch (IOException e) {
      try {
        disk.delete(fresh);
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
    disk.forceFolder(file.toAbsolutePath().getParent());
  }
}
