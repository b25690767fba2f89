package io.rollscope.store.testkit;

import io.rollscope.store.disk.AppendFile;
import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.DiskLock;
import io.rollscope.store.disk.ReadFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A disk over real files, also those that somebody else writes (DuckDB), that knows what a power
 * failure would leave of them: contents as of the last force of the file, under the names as of the
 * last force of the folder. {@link #afterPowerLoss} puts that into another folder.
 */
public final class PowerLossDisk implements Disk {
  private final Disk disk;

  /** A file, whatever it is called; its contents as of the last force. */
  private static final class Known {
    byte[] forced = new byte[0];
  }

  private final Map<Path, Known> current = new HashMap<>();
  private final Map<Path, Known> durable = new HashMap<>();

  public PowerLossDisk(Disk disk) {
    this.disk = disk;
  }

  /** Writes what is durable at this moment into another folder. */
  public synchronized void afterPowerLoss(Path folder, Path into) throws IOException {
    for (Map.Entry<Path, Known> file : durable.entrySet()) {
      Path to = into.resolve(folder.relativize(file.getKey()).toString());
      Files.createDirectories(to.getParent());
      Files.write(to, file.getValue().forced);
    }
  }

  private Known known(Path file) {
    return current.computeIfAbsent(file, f -> new Known());
  }

  private synchronized void forced(Known forced) throws IOException {
    for (Map.Entry<Path, Known> file : current.entrySet()) {
      if (file.getValue() == forced) {
        forced.forced = Files.readAllBytes(file.getKey());
      }
    }
  }

  @Override
  public void createFolders(Path folder) throws IOException {
    disk.createFolders(folder);
  }

  @Override
  public List<String> list(Path folder) throws IOException {
    return disk.list(folder);
  }

  @Override
  public synchronized AppendFile openForAppend(Path file) throws IOException {
    AppendFile opened = disk.openForAppend(file);
    Known known = known(file);
    return new AppendFile() {
      @Override
      public long size() throws IOException {
        return opened.size();
      }

      @Override
      public void write(ByteBuffer bytes) throws IOException {
        opened.write(bytes);
      }

      @Override
      public void force() throws IOException {
        opened.force();
        forced(known);
      }

      @Override
      public void truncate(long size) throws IOException {
        opened.truncate(size);
      }

      @Override
      public void close() throws IOException {
        opened.close();
      }
    };
  }

  @Override
  public ReadFile openForRead(Path file) throws IOException {
    return disk.openForRead(file);
  }

  @Override
  public synchronized void rename(Path from, Path to) throws IOException {
    disk.rename(from, to);
    Known known = known(from);
    current.remove(from);
    current.put(to, known);
  }

  @Override
  public synchronized void delete(Path file) throws IOException {
    disk.delete(file);
    current.remove(file);
  }

  @Override
  public synchronized void forceFolder(Path folder) throws IOException {
    disk.forceFolder(folder);
    durable.keySet().removeIf(name -> name.getParent().equals(folder));
    for (String name : disk.list(folder)) {
      durable.put(folder.resolve(name), known(folder.resolve(name)));
    }
  }

  @Override
  public DiskLock lock(Path file, String holder) throws IOException {
    return disk.lock(file, holder);
  }

  @Override
  public long usableSpace(Path folder) throws IOException {
    return disk.usableSpace(folder);
  }
}
