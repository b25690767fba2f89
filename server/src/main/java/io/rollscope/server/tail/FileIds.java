package io.rollscope.server.tail;

import io.rollscope.formats.folder.TraceFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * What a file is known by in the store: its inode, and a fingerprint of its first line and of the
 * run it is filed under. That survives renaming and restarts. The device is left out: shared file
 * systems get another number each time they are mounted.
 */
final class FileIds {
  /** Of the first line as much as this: it is there when the file is first read, and stays. */
  private static final int FINGERPRINT = 1024;

  private FileIds() {}

  static String of(TraceFile file) throws IOException {
    byte[] head = file.head(FINGERPRINT);
    int lineEnd = 0;
    while (lineEnd < head.length && head[lineEnd] != '\n') {
      lineEnd++;
    }
    String about = file.format().id() + '\0' + file.run() + '\0';
    return place(file.path())
        + '-'
        + hash(about.getBytes(StandardCharsets.UTF_8), Arrays.copyOf(head, lineEnd));
  }

  private static String place(Path path) throws IOException {
    boolean unix = FileSystems.getDefault().supportedFileAttributeViews().contains("unix");
    return unix
        ? Files.getAttribute(path, "unix:ino").toString()
        : path.toAbsolutePath().normalize().toString();
  }

  /** A fingerprint of the bytes before this offset. */
  static String before(Path path, long offset) throws IOException {
    int length = (int) Math.min(FINGERPRINT, offset);
    return hash(bytes(path, offset - length, length));
  }

  private static byte[] bytes(Path path, long from, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
        // Reads until full or the file ends.
      }
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  private static String hash(byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        digest.update(part);
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 12);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Java without SHA-256", e);
    }
  }
}
