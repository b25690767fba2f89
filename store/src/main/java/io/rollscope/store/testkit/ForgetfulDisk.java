package io.rollscope.store.testkit;

import io.rollscope.store.disk.AppendFile;
import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.DiskLock;
import io.rollscope.store.disk.DiskLockedException;
import io.rollscope.store.disk.ReadFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A disk in memory that loses power on demand: contents that were not forced, and names whose
 * folder was not forced, are then gone, or partly gone. Files opened before are dead afterwards.
 */
public final class ForgetfulDisk implements Disk {
  /** A change of names, repeatable on what was durable. */
  private interface NameChange {
    void apply(Map<Path, StoredFile> names);
  }

  private final Set<Path> folders = new HashSet<>();
  private final Map<Path, String> locks = new HashMap<>();
  private final Map<Path, List<NameChange>> unforced = new HashMap<>();
  private TreeMap<Path, StoredFile> names = new TreeMap<>();
  private TreeMap<Path, StoredFile> durableNames = new TreeMap<>();
  private int powerCycle;

  /** Loses everything that was not forced. */
  public synchronized void losePower() {
    restart(null);
  }

  /** Loses some of what was not forced: names up to a moment, any part of contents. */
  public synchronized void losePower(Random random) {
    restart(random);
  }

  /** Ends the process that uses the disk: locks and open files go, nothing is lost. */
  public synchronized void killProcess() {
    powerCycle++;
    locks.clear();
  }

  /** What survives is random, or nothing if there is no random. */
  private void restart(Random random) {
    powerCycle++;
    locks.clear();
    for (List<NameChange> changes : unforced.values()) {
      int survivors = random == null ? 0 : random.nextInt(changes.size() + 1);
      changes.subList(0, survivors).forEach(change -> change.apply(durableNames));
    }
    unforced.clear();
    names = new TreeMap<>(durableNames);
    new HashSet<>(names.values()).forEach(file -> file.losePower(random));
  }

  /** The contents of a file now. */
  public synchronized byte[] contents(Path file) {
    StoredFile stored = names.get(file);
    if (stored == null) {
      throw new NoSuchElementException(file.toString());
    }
    return stored.bytes().clone();
  }

  /** Puts a file in place, durable: damage, garbage. */
  public synchronized void replace(Path file, byte[] contents) {
    StoredFile stored = new StoredFile(contents.clone());
    names.put(file, stored);
    durableNames.put(file, stored);
  }

  @Override
  public synchronized void createFolders(Path folder) {
    folders.add(folder);
  }

  @Override
  public synchronized List<String> list(Path folder) throws IOException {
    requireFolder(folder);
    return names.keySet().stream()
        .filter(file -> file.getParent().equals(folder))
        .map(file -> file.getFileName().toString())
        .toList();
  }

  @Override
  public synchronized AppendFile openForAppend(Path file) throws IOException {
    requireFolder(file.getParent());
    if (!names.containsKey(file)) {
      StoredFile created = new StoredFile(new byte[0]);
      change(file.getParent(), map -> map.put(file, created));
    }
    return new OpenFile(names.get(file));
  }

  @Override
  public synchronized ReadFile openForRead(Path file) throws IOException {
    return new OpenFile(existing(file));
  }

  @Override
  public synchronized void rename(Path from, Path to) throws IOException {
    StoredFile file = existing(from);
    change(
        from.getParent(),
        map -> {
          map.remove(from);
          map.put(to, file);
        });
  }

  @Override
  public synchronized void delete(Path file) {
    change(file.getParent(), map -> map.remove(file));
  }

  @Override
  public synchronized void forceFolder(Path folder) throws IOException {
    requireFolder(folder);
    List<NameChange> changes = unforced.remove(folder);
    if (changes != null) {
      changes.forEach(change -> change.apply(durableNames));
    }
  }

  @Override
  public synchronized DiskLock lock(Path file, String holder) throws IOException {
    requireFolder(file.getParent());
    if (locks.containsKey(file)) {
      throw new DiskLockedException(file, locks.get(file));
    }
    locks.put(file, holder);
    int cycle = powerCycle;
    return () -> unlock(file, cycle);
  }

  private synchronized void unlock(Path file, int cycle) {
    if (cycle == powerCycle) {
      locks.remove(file);
    }
  }

  @Override
  public long usableSpace(Path folder) {
    return Long.MAX_VALUE;
  }

  private void change(Path folder, NameChange change) {
    change.apply(names);
    unforced.computeIfAbsent(folder, f -> new ArrayList<>()).add(change);
  }

  private StoredFile existing(Path file) throws IOException {
    StoredFile stored = names.get(file);
    if (stored == null) {
      throw new NoSuchFileException(file.toString());
    }
    return stored;
  }

  private void requireFolder(Path folder) throws IOException {
    if (!folders.contains(folder)) {
      throw new NoSuchFileException(folder.toString());
    }
  }

  private final class OpenFile implements AppendFile, ReadFile {
    private final StoredFile file;
    private final int cycle = powerCycle;
    private boolean closed;

    OpenFile(StoredFile file) {
      this.file = file;
    }

    private StoredFile alive() throws IOException {
      if (closed || cycle != powerCycle) {
        throw new IOException("file is closed, or its process is dead");
      }
      return file;
    }

    @Override
    public long size() throws IOException {
      synchronized (ForgetfulDisk.this) {
        return alive().bytes().length;
      }
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      synchronized (ForgetfulDisk.this) {
        alive().append(bytes);
      }
    }

    @Override
    public void force() throws IOException {
      synchronized (ForgetfulDisk.this) {
        alive().force();
      }
    }

    @Override
    public void truncate(long size) throws IOException {
      synchronized (ForgetfulDisk.this) {
        alive().truncate((int) size);
      }
    }

    @Override
    public int read(ByteBuffer into, long offset) throws IOException {
      synchronized (ForgetfulDisk.this) {
        byte[] bytes = alive().bytes();
        int length = (int) Math.max(0, Math.min(into.remaining(), bytes.length - offset));
        into.put(bytes, (int) Math.min(offset, bytes.length), length);
        return length;
      }
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
