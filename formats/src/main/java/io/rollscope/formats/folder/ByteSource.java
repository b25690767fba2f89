package io.rollscope.formats.folder;

import io.rollscope.formats.compressed.CompressedReader;
import io.rollscope.formats.compressed.Compression;
import io.rollscope.formats.compressed.DamagedFileException;
import io.rollscope.formats.compressed.FrameBegin;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What a file holds, read anywhere. */
@FunctionalInterface
interface ByteSource extends Closeable {

  /** Reads some bytes; -1 if there are none at this offset. */
  int read(ByteBuffer target, long offset) throws IOException;

  @Override
  default void close() throws IOException {}

  /** Reads the beginning of what a file holds; how many bytes that are. */
  static int head(Path path, byte[] head) throws IOException {
    Compression compression = Compression.of(path);
    if (compression == null) {
      try (InputStream in = Files.newInputStream(path)) {
        return in.readNBytes(head, 0, head.length);
      }
    }
    try (CompressedReader in =
        new CompressedReader(path, compression, FrameBegin.OF_FILE, Files.size(path))) {
      return in.read(head, 0, head.length);
    } catch (DamagedFileException e) {
      return 0;
    }
  }

  /** What a file holds, decompressed. */
  static ByteSource of(TraceFile file) throws IOException {
    if (file.compression() != null) {
      return new UnpackedBlocks(file);
    }
    return plain(file.path());
  }

  /** The bytes of a file as they are. */
  static ByteSource plain(Path path) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    return new ByteSource() {
      @Override
      public int read(ByteBuffer target, long offset) throws IOException {
        return channel.read(target, offset);
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }
}
