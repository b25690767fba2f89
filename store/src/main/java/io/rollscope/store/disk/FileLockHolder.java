package io.rollscope.store.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A lock of the operating system on a file that names its holder.
 *
 * <p>POSIX drops a process's lock when the process closes <em>any</em> channel on the file. A lock
 * that this process holds is therefore refused before the file is opened.
 */
final class FileLockHolder implements DiskLock {
  private static final Map<Path, String> HELD = new HashMap<>();

  private final Path key;
  private final FileChannel channel;

  private FileLockHolder(Path key, FileChannel channel) {
    this.key = key;
    this.channel = channel;
  }

  static DiskLock lock(Path file, String holder) throws IOException {
    Path key = file.toAbsolutePath().getParent().toRealPath().resolve(file.getFileName());
    synchronized (HELD) {
      if (HELD.containsKey(key)) {
        throw new DiskLockedException(file, HELD.get(key));
      }
      FileChannel channel =
          FileChannel.open(
              file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), OwnerOnly.file());
      try {
        FileLock lock = channel.tryLock();
        if (lock == null) {
          throw new DiskLockedException(file, holderIn(file));
        }
        channel.truncate(0);
        channel.write(ByteBuffer.wrap((holder + "\n").getBytes(StandardCharsets.UTF_8)));
      } catch (IOException e) {
        channel.close();
        throw e;
      }
      HELD.put(key, holder);
      return new FileLockHolder(key, channel);
    }
  }

  private static String holderIn(Path file) throws IOException {
    String holder = Files.readString(file).strip();
    return holder.isEmpty() ? "a process that has not yet said its name" : holder;
  }

  @Override
  public void close() throws IOException {
    synchronized (HELD) {
      if (channel.isOpen()) {
        HELD.remove(key);
        channel.close();
      }
    }
  }
}
