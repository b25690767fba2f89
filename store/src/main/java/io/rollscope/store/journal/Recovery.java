package io.rollscope.store.journal;

import io.rollscope.store.disk.AppendFile;
import io.rollscope.store.disk.ReadFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a folder's journal files in order, cuts the torn tail of the last one and makes durable
 * what it handed out.
 */
final class Recovery {
  private final JournalFolder folder;
  private final List<Damage> damages = new ArrayList<>();
  private final List<String> emptyFiles = new ArrayList<>();
  private final List<String> ignoredFiles = new ArrayList<>();
  private final List<String> unfinishedFiles = new ArrayList<>();
  private final List<Long> sequences = new ArrayList<>();
  private Damage cut;
  private int files;
  private long frames;
  private long bytes;

  Recovery(JournalFolder folder) {
    this.folder = folder;
  }

  RecoveryReport run(FrameReceiver receiver) throws IOException {
    sortOut();
    long last = sequences.isEmpty() ? 0 : sequences.get(sequences.size() - 1);
    for (long sequence : sequences) {
      read(sequence, sequence == last, receiver);
    }
    for (String name : unfinishedFiles) {
      folder.disk().delete(folder.path(name));
    }
    folder.force();
    return new RecoveryReport(
        files,
        frames,
        bytes,
        Optional.ofNullable(cut),
        List.copyOf(damages),
        List.copyOf(emptyFiles),
        List.copyOf(ignoredFiles),
        List.copyOf(unfinishedFiles));
  }

  /**
   * Looks at names and headers only, so that a newer version is refused before anything changes.
   */
  private void sortOut() throws IOException {
    for (String name : folder.disk().list(folder.path())) {
      long sequence = JournalFolder.sequenceOf(name);
      if (sequence >= 0) {
        folder.reserve(sequence);
        checkHeader(name, sequence);
      } else if (JournalFolder.isUnfinished(name)) {
        unfinishedFiles.add(name);
      } else if (!name.equals(JournalFolder.LOCK)) {
        ignoredFiles.add(name + ": not a name of a journal file");
      }
    }
  }

  private void checkHeader(String name, long sequence) throws IOException {
    ByteBuffer start = ByteBuffer.allocate(FileHeader.BYTES);
    try (ReadFile file = folder.disk().openForRead(folder.path(name))) {
      file.read(start, 0);
    }
    Optional<FileHeader> header = FileHeader.decode(start.flip());
    if (header.isPresent() && header.get().version() != FileHeader.VERSION) {
      throw new JournalVersionException(name, header.get().version(), FileHeader.VERSION);
    }
    if (header.isPresent() && header.get().sequence() != sequence) {
      ignoredFiles.add(name + ": a copy of file " + header.get().sequence());
    } else {
      sequences.add(sequence);
    }
  }

  private void read(long sequence, boolean last, FrameReceiver receiver) throws IOException {
    String name = JournalFolder.name(sequence);
    FileScan scan;
    boolean readable;
    try (ReadFile file = folder.disk().openForRead(folder.path(name))) {
      scan = new FileScan(file, name, sequence);
      readable = scan.size() > 0 && scan.read(receiver);
    }
    files++;
    bytes += scan.size();
    frames += scan.frames();
    damages.addAll(scan.damages());
    long keep = scan.size();
    if (scan.size() == 0) {
      emptyFiles.add(name);
    } else if (scan.intactEnd() < scan.size()) {
      keep = judgeTail(scan, name, last && (readable || scan.size() <= FileHeader.BYTES));
    }
    settle(name, keep);
    folder.add(sequence, keep);
  }

  /**
   * Decides about the bytes after the last intact frame. A crash while appending leaves such a tail
   * in the last file only, and never a file with more than a header whose header is damaged
   * (headers are durable before the file gets its name): anything else is kept as evidence.
   */
  private long judgeTail(FileScan scan, String name, boolean torn) {
    long from = scan.intactEnd();
    Damage tail = new Damage(name, from, scan.size() - from, scan.problem());
    if (torn) {
      cut = tail;
      return from;
    }
    damages.add(tail);
    return scan.size();
  }

  /**
   * Makes what was read durable: after a kill it may be in the page cache only, and what is built
   * on it from now on (the next part of a tailed file) must not survive it.
   */
  private void settle(String name, long size) throws IOException {
    try (AppendFile file = folder.disk().openForAppend(folder.path(name))) {
      if (file.size() != size) {
        file.truncate(size);
      }
      file.force();
    }
  }
}
