package io.rollscope.formats.chrome;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Sorts any number of records with bounded memory. Sorted runs are kept in memory; when they
 * outgrow it they are merged into a file, and many files into one. Runs must be added in the order
 * of the source, because equal records keep it.
 */
final class SortedRuns implements Closeable {
  /** So many files are open and buffered at a time at most, per level. */
  private static final int FAN_IN = 32;

  private static final int WRITE_BUFFER = 1 << 20;

  /** Is given records in order. */
  interface Taker {
    void record(byte[] buffer, int at, int size) throws IOException;
  }

  private final Path folder;
  private final long memory;
  private final List<List<byte[]>> inMemory = new ArrayList<>();
  private long used;

  /** Files by how often their records were merged; higher levels are older. */
  private final List<List<FileChannel>> levels = new ArrayList<>();

  private int spills;

  /**
   * @param folder where files go
   * @param memory how many bytes of runs are kept in memory
   */
  SortedRuns(Path folder, long memory) {
    this.folder = folder;
    this.memory = memory;
  }

  /** Adds a run that lies in memory, in chunks of whole records. */
  void add(List<byte[]> run) throws IOException {
    long size = run.stream().mapToLong(chunk -> chunk.length).sum();
    if (used + size > memory && !inMemory.isEmpty()) {
      spill(memoryCursors(), 0);
      inMemory.clear();
      used = 0;
    }
    inMemory.add(run);
    used += size;
  }

  /** How many files were written. */
  int spills() {
    return spills;
  }

  /** Gives all records in order; what was in memory is forgotten on the way. */
  void merge(Taker taker) throws IOException {
    List<RunCursor> cursors = new ArrayList<>();
    for (int level = levels.size() - 1; level >= 0; level--) {
      levels.get(level).forEach(file -> cursors.add(new RunCursor(file)));
    }
    cursors.addAll(memoryCursors());
    inMemory.clear();
    merge(cursors, taker);
  }

  private List<RunCursor> memoryCursors() {
    return inMemory.stream().map(run -> new RunCursor(run)).toList();
  }

  private void spill(List<RunCursor> cursors, int level) throws IOException {
    FileChannel file = open();
    if (levels.size() == level) {
      levels.add(new ArrayList<>());
    }
    levels.get(level).add(file);
    ByteBuffer buffer = ByteBuffer.allocate(WRITE_BUFFER);
    merge(
        cursors,
        (b, at, size) -> {
          if (buffer.remaining() < size) {
            drain(buffer.flip(), file);
            buffer.clear();
          }
          if (size > buffer.remaining()) {
            drain(ByteBuffer.wrap(b, at, size), file);
          } else {
            buffer.put(b, at, size);
          }
        });
    drain(buffer.flip(), file);
    List<FileChannel> full = levels.get(level);
    if (full.size() == FAN_IN) {
      spill(full.stream().map(channel -> new RunCursor(channel)).toList(), level + 1);
      close(full);
    }
  }

  /** A file that has no name once it is open, so that it goes even if the process is killed. */
  private FileChannel open() throws IOException {
    String unique = ProcessHandle.current().pid() + "-" + System.nanoTime();
    Path path = folder.resolve(".rollscope-sort-" + unique + ".tmp");
    spills++;
    return FileChannel.open(
        path,
        StandardOpenOption.CREATE_NEW,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE);
  }

  private static void drain(ByteBuffer buffer, FileChannel file) throws IOException {
    while (buffer.hasRemaining()) {
      file.write(buffer);
    }
  }

  private static void merge(List<RunCursor> cursors, Taker taker) throws IOException {
    Merge merge = new Merge(cursors);
    while (merge.next()) {
      RunCursor top = merge.top();
      taker.record(top.buffer(), top.at(), top.size());
    }
  }

  /** Removes the files. */
  @Override
  public void close() throws IOException {
    for (List<FileChannel> level : levels) {
      close(level);
    }
  }

  private static void close(List<FileChannel> files) throws IOException {
    for (FileChannel file : files) {
      file.close();
    }
    files.clear();
  }
}
