package io.rollscope.store.journal;

import io.rollscope.store.disk.AppendFile;
import io.rollscope.store.disk.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of a journal: their names, their numbers, and how they come and go. */
final class JournalFolder {
  static final String LOCK = "journal.lock";

  private static final String UNFINISHED = ".new";
  private static final Pattern NAME = Pattern.compile("journal-([0-9]{16})\\.log");

  private final Disk disk;
  private final Path path;
  private final SecureRandom random = new SecureRandom();

  /** Size of each file up to where it is durable; read by other threads. */
  private final ConcurrentSkipListMap<Long, Long> files = new ConcurrentSkipListMap<>();

  private long nextSequence = 1;
  private long newest;

  JournalFolder(Disk disk, Path path) {
    this.disk = disk;
    this.path = path;
  }

  static String name(long sequence) {
    return String.format("journal-%016d.log", sequence);
  }

  /** The number in the name of a journal file, or -1. */
  static long sequenceOf(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
  }

  static boolean isUnfinished(String name) {
    return name.endsWith(UNFINISHED)
        && sequenceOf(name.substring(0, name.length() - UNFINISHED.length())) >= 0;
  }

  Disk disk() {
    return disk;
  }

  Path path() {
    return path;
  }

  Path path(String name) {
    return path.resolve(name);
  }

  void force() throws IOException {
    disk.forceFolder(path);
  }

  int count() {
    return files.size();
  }

  /** Sees to it that this number is not given to a new file. */
  void reserve(long sequence) {
    nextSequence = Math.max(nextSequence, sequence + 1);
  }

  /** Takes note of a file that is there and durable up to this size. */
  void add(long sequence, long size) {
    files.put(sequence, size);
    newest = Math.max(newest, sequence);
  }

  /**
   * Begins a file that already holds these frames. It gets its name when all of it is durable, so
   * after a crash it is there as a whole or not at all.
   */
  JournalFile create(List<Frame> frames, FrameWriter writer, Counters counters) throws IOException {
    long sequence = nextSequence;
    Path finished = path(name(sequence));
    Path unfinished = path(name(sequence) + UNFINISHED);
    FileHeader header = new FileHeader(FileHeader.VERSION, sequence, random.nextLong());
    AppendFile file = disk.openForAppend(unfinished);
    try {
      file.truncate(0); // a failed attempt may have left something
      file.write(ByteBuffer.wrap(header.encode()));
      JournalFile created = new JournalFile(header, file, writer, counters);
      created.append(frames);
      nextSequence++; // from here on the name may exist, whatever the calls below say
      files.put(sequence, created.length());
      disk.rename(unfinished, finished);
      force();
      add(sequence, created.length());
      return created;
    } catch (IOException | RuntimeException | Error e) {
      discard(file, unfinished, e);
      throw e;
    }
  }

  private void discard(AppendFile file, Path unfinished, Throwable cause) {
    try (file) {
      disk.delete(unfinished);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  /**
   * Deletes files whose frames all lie before a position, except the newest: its number is what
   * keeps positions growing. Oldest first and one by one, so that a crash never leaves an older
   * file without a newer one: a start without the end that followed it would be open for ever.
   */
  int deleteBefore(Position position) throws IOException {
    int deleted = 0;
    for (var entry : files.headMap(newest).entrySet()) {
      Position end = new Position(entry.getKey(), entry.getValue());
      if (end.compareTo(position) > 0) {
        break;
      }
      disk.delete(path(name(end.file())));
      force();
      files.remove(end.file());
      deleted++;
    }
    return deleted;
  }
}
