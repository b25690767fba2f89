package io.rollscope.store.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The file system of the operating system. */
public final class RealDisk implements Disk {
  @Override
  public void createFolders(Path folder) throws IOException {
    List<Path> missing = new ArrayList<>();
    Path path = folder.toAbsolutePath();
    while (path != null && !Files.exists(path)) {
      missing.add(path);
      path = path.getParent();
    }
    Files.createDirectories(folder, OwnerOnly.folder());
    Collections.reverse(missing);
    for (Path created : missing) {
      forceFolder(created.getParent());
    }
  }

  @Override
  public List<String> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> file.getFileName().toString())
          .sorted()
          .toList();
    }
  }

  @Override
  public AppendFile openForAppend(Path file) throws IOException {
    return new RealAppendFile(
        FileChannel.open(
            file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND), OwnerOnly.file()));
  }

  @Override
  public ReadFile openForRead(Path file) throws IOException {
    return new RealReadFile(FileChannel.open(file, StandardOpenOption.READ));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }

  @Override
  public void forceFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public DiskLock lock(Path file, String holder) throws IOException {
    return FileLockHolder.lock(file, holder);
  }

  @Override
  public long usableSpace(Path folder) throws IOException {
    return Files.getFileStore(folder).getUsableSpace();
  }

  private record RealAppendFile(FileChannel channel) implements AppendFile {
    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }

    @Override
    public void force() throws IOException {
      // true: whether fdatasync makes a truncation durable differs among file systems.
      channel.force(true);
    }

    @Override
    public void truncate(long size) throws IOException {
      channel.truncate(size);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  private record RealReadFile(FileChannel channel) implements ReadFile {
    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public int read(ByteBuffer into, long offset) throws IOException {
      int start = into.position();
      while (into.hasRemaining()) {
        if (channel.read(into, offset + into.position() - start) < 0) {
          break;
        }
      }
      return into.position() - start;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
