package io.rollscope.formats.compressed;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** How a file is compressed. */
public enum Compression {
  GZIP {
    @Override
    Frame frame(FileChannel file, long at, long limit) throws IOException {
      return new GzipMember(new PackedInput(file, at, limit));
    }
  },
  ZSTD {
    @Override
    Frame frame(FileChannel file, long at, long limit) throws IOException {
      return new ZstdFrame(new PackedInput(file, at, limit));
    }
  };

  /** What names of compressed files end with, as a regular expression. */
  public static final String SUFFIXES = "\\.(gz|zst)";

  /** The frame that begins at an offset of a file that ends at {@code limit}. */
  abstract Frame frame(FileChannel file, long at, long limit) throws IOException;

  /** How a file is compressed, told from its first bytes; null if it is not. */
  public static Compression of(Path path) throws IOException {
    byte[] head = new byte[4];
    try (InputStream in = Files.newInputStream(path)) {
      int length = in.readNBytes(head, 0, head.length);
      if (length >= 2 && head[0] == (byte) 0x1f && head[1] == (byte) 0x8b) {
        return GZIP;
      }
      return length == 4 && ZstdFrame.isMagic(head) ? ZSTD : null;
    }
  }
}
