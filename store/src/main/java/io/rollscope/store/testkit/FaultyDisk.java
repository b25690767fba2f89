package io.rollscope.store.testkit;

import io.rollscope.store.disk.AppendFile;
import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.DiskLock;
import io.rollscope.store.disk.ReadFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Passes calls on to another disk, records them, and fails those it was told to fail. */
public final class FaultyDisk implements Disk {
  /** How a call fails. */
  public enum Fault {
    /** Nothing happened. */
    BEFORE,
    /** It happened, and the caller is told otherwise. */
    AFTER,
    /** Of a write, half the bytes were written; other calls: as {@link #BEFORE}. */
    SHORT,
    /** As {@link #BEFORE}, and so does every later call until {@link #setBroken} says otherwise. */
    ONWARDS
  }

  private final Disk disk;
  private final List<String> calls = new ArrayList<>();
  private Consumer<String> watcher = call -> {};
  private long countdown;
  private Fault fault = Fault.BEFORE;
  private boolean broken;
  private long space = Long.MAX_VALUE;

  public FaultyDisk(Disk disk) {
    this.disk = disk;
  }

  /** Fails the n-th call from now (1 is the next), once. */
  public synchronized void failCall(long n, Fault how) {
    countdown = n;
    fault = how;
  }

  /** True if the call to fail has come. */
  public synchronized boolean hasFailed() {
    return countdown <= 0;
  }

  /** Fails every call from now on, or none. */
  public synchronized void setBroken(boolean everyCallFails) {
    fault = Fault.BEFORE;
    broken = everyCallFails;
  }

  /** Lets this many bytes be written; then the disk is full until told otherwise. */
  public synchronized void setSpace(long bytes) {
    space = bytes;
  }

  /** Gets each call before it happens, on the thread that makes it, and may hold it up. */
  public synchronized void watch(Consumer<String> newWatcher) {
    watcher = newWatcher;
  }

  /** Every call so far, such as {@code write journal-0000000000000001.log 312}. */
  public synchronized List<String> calls() {
    return List.copyOf(calls);
  }

  @Override
  public void createFolders(Path folder) throws IOException {
    run("createFolders " + name(folder), () -> disk.createFolders(folder));
  }

  @Override
  public List<String> list(Path folder) throws IOException {
    return call("list " + name(folder), () -> disk.list(folder));
  }

  @Override
  public AppendFile openForAppend(Path file) throws IOException {
    String name = name(file);
    return new FaultyAppendFile(
        name, call("openForAppend " + name, () -> disk.openForAppend(file)));
  }

  @Override
  public ReadFile openForRead(Path file) throws IOException {
    String name = name(file);
    return new FaultyReadFile(name, call("openForRead " + name, () -> disk.openForRead(file)));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    run("rename " + name(from) + " " + name(to), () -> disk.rename(from, to));
  }

  @Override
  public void delete(Path file) throws IOException {
    run("delete " + name(file), () -> disk.delete(file));
  }

  @Override
  public void forceFolder(Path folder) throws IOException {
    run("forceFolder " + name(folder), () -> disk.forceFolder(folder));
  }

  @Override
  public DiskLock lock(Path file, String holder) throws IOException {
    return call("lock " + name(file), () -> disk.lock(file, holder));
  }

  @Override
  public long usableSpace(Path folder) throws IOException {
    return call("usableSpace " + name(folder), () -> Math.min(space(), disk.usableSpace(folder)));
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }

  private synchronized long space() {
    return space;
  }

  /** A call with a result. */
  private interface Call<T> {
    T run() throws IOException;
  }

  /** A call without a result. */
  private interface Action {
    void run() throws IOException;
  }

  private void run(String what, Action action) throws IOException {
    call(
        what,
        () -> {
          action.run();
          return true;
        });
  }

  private <T> T call(String what, Call<T> call) throws IOException {
    boolean fails = begin(what);
    if (fails && fault != Fault.AFTER) {
      throw injected(what);
    }
    T result = call.run();
    if (fails) {
      if (result instanceof AutoCloseable open) {
        closeQuietly(open);
      }
      throw injected(what);
    }
    return result;
  }

  /** A caller that is told of a failure gets nothing that it could close. */
  private static void closeQuietly(AutoCloseable open) throws IOException {
    try {
      open.close();
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  private boolean begin(String what) {
    Consumer<String> current;
    synchronized (this) {
      calls.add(what);
      current = watcher;
    }
    current.accept(what);
    synchronized (this) {
      boolean now = --countdown == 0;
      broken |= now && fault == Fault.ONWARDS;
      return now || broken;
    }
  }

  private static IOException injected(String what) {
    return new IOException("injected failure of: " + what);
  }

  private final class FaultyAppendFile implements AppendFile {
    private final String name;
    private final AppendFile file;

    FaultyAppendFile(String name, AppendFile file) {
      this.name = name;
      this.file = file;
    }

    @Override
    public long size() throws IOException {
      return call("size " + name, file::size);
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      String what = "write " + name + " " + bytes.remaining();
      boolean fails = begin(what);
      if (fails && (fault == Fault.BEFORE || fault == Fault.ONWARDS)) {
        throw injected(what);
      }
      int whole = bytes.remaining();
      long part = fails && fault == Fault.SHORT ? whole / 2 : takeSpace(whole);
      file.write(bytes.slice(bytes.position(), (int) part));
      bytes.position(bytes.limit());
      if (fails) {
        throw injected(what);
      }
      if (part < whole) {
        throw new IOException("No space left on device");
      }
    }

    @Override
    public void force() throws IOException {
      run("force " + name, file::force);
    }

    @Override
    public void truncate(long size) throws IOException {
      run("truncate " + name + " " + size, () -> file.truncate(size));
    }

    @Override
    public void close() throws IOException {
      run("close " + name, file::close);
    }
  }

  private synchronized long takeSpace(int wanted) {
    long taken = Math.min(wanted, space);
    space -= taken;
    return taken;
  }

  private final class FaultyReadFile implements ReadFile {
    private final String name;
    private final ReadFile file;

    FaultyReadFile(String name, ReadFile file) {
      this.name = name;
      this.file = file;
    }

    @Override
    public long size() throws IOException {
      return call("size " + name, file::size);
    }

    @Override
    public int read(ByteBuffer into, long offset) throws IOException {
      return call("read " + name + " " + offset, () -> file.read(into, offset));
    }

    @Override
    public void close() throws IOException {
      run("close " + name, file::close);
    }
  }
}
