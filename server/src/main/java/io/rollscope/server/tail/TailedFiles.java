package io.rollscope.server.tail;

import io.rollscope.formats.folder.TraceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The files that are followed, and how far each is durable. Thread-safe. */
final class TailedFiles {
  private static final int MAX_REMEMBERED = 10_000;

  /** One file in one of its lives: a file that is written anew becomes another. */
  static final class TailedFile {
    private final String id;
    private final long resumeAt;
    private volatile long settled;

    private TailedFile(String id, long resumeAt) {
      this.id = id;
      this.resumeAt = resumeAt;
      this.settled = resumeAt;
    }

    String id() {
      return id;
    }

    /** Up to where it was told in an earlier life. */
    long resumeAt() {
      return resumeAt;
    }

    /** Up to where nothing is left to tell. */
    long settled() {
      return settled;
    }

    void settle(long offset) {
      settled = Math.max(settled, offset);
    }
  }

  /** What was before an offset when it was settled: it is another when the file was rewritten. */
  private record Seen(long offset, String fingerprint) {}

  private final Sink sink;
  private final Map<TraceFile, TailedFile> files = new HashMap<>();
  private final Map<String, Seen> seen =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
          return size() > MAX_REMEMBERED;
        }
      };

  TailedFiles(Sink sink) {
    this.sink = sink;
  }

  /** The file, identified at the first call; its first line must be whole then. */
  synchronized TailedFile of(TraceFile file) {
    return files.computeIfAbsent(file, this::identify);
  }

  private TailedFile identify(TraceFile file) {
    try {
      String base = FileIds.of(file);
      int life = 1;
      while (sink.tailedOffset(id(base, life + 1)) > 0) {
        life++;
      }
      String id = id(base, life);
      long durable = sink.tailedOffset(id);
      if (hasShrunk(file, durable) || isRewritten(file, id)) {
        return new TailedFile(id(base, life + 1), 0);
      }
      return new TailedFile(id, durable);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of a compressed file nobody knows how long it was: its pieces are written once. */
  private static boolean hasShrunk(TraceFile file, long durable) throws IOException {
    return file.compression() == null && Files.size(file.path()) < durable;
  }

  private static String id(String base, int life) {
    return life == 1 ? base : base + '~' + life;
  }

  private boolean isRewritten(TraceFile file, String id) throws IOException {
    Seen before = seen.get(id);
    return before != null
        && !before.fingerprint().equals(FileIds.before(file.path(), before.offset()));
  }

  /** Everything read of these files is durable; other files are no longer there. */
  synchronized void settle(List<TraceFile> present) throws IOException {
    Set<TraceFile> kept = new HashSet<>();
    for (TraceFile file : present) {
      if (file.offset() > 0 && !file.isReleased()) {
        TailedFile tailed = of(file);
        kept.add(file);
        Seen before = seen.get(tailed.id());
        tailed.settle(file.offset());
        if (before == null || before.offset() != file.position()) {
          seen.put(
              tailed.id(), new Seen(file.position(), FileIds.before(file.path(), file.position())));
        }
      }
    }
    files.keySet().removeIf(f -> !kept.contains(f));
  }

  /** Knows no file any more; each is identified anew, and goes on where it is durable. */
  synchronized void clear() {
    files.clear();
  }

  /** Bytes of the files that are not durable yet. */
  synchronized long lagBytes() {
    long lag = 0;
    for (Map.Entry<TraceFile, TailedFile> entry : files.entrySet()) {
      TraceFile file = entry.getKey();
      long done = file.compression() == null ? entry.getValue().settled() : file.position();
      lag += Math.max(0, size(file) - done);
    }
    return lag;
  }

  private static long size(TraceFile file) {
    try {
      return Files.size(file.path());
    } catch (IOException e) {
      return 0; // Gone meanwhile: the next look will say so.
    }
  }

  synchronized int count() {
    return files.size();
  }
}
