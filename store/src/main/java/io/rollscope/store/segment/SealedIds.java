package io.rollscope.store.segment;

import io.rollscope.otlp.record.SpanRecord;
import io.rollscope.otlp.record.Verdict;
import io.rollscope.store.disk.AppendFile;
import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.ReadFile;
import io.rollscope.store.hot.SealedSpans;
import io.rollscope.store.hot.Sealing;
import io.rollscope.store.hot.SessionKey;
import io.rollscope.store.hot.SpanRow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The ids of the spans in segments of the last hour. A filter in memory says quickly that a trace
 * is not there; only for the rest the sorted hashes of each segment are searched. The hashes of the
 * newest segments stay in memory, those of older ones in files beside the segments.
 */
final class SealedIds implements SealedSpans {
  static final long REMEMBERED_NS = 3_600_000_000_000L;
  private static final long MOST_IN_MEMORY = 8_000_000;
  private static final int HEAD = 3;
  private static final String PREFIX = "ids-";

  private final Disk disk;
  private final Path folder;
  private final Bloom traces = new Bloom();
  private final Deque<Entry> entries = new ArrayDeque<>();
  private long inMemory;

  /** The hashes of one segment; null when they have to be read. */
  private static final class Entry {
    final long number;
    final long sealedNs;
    int count;
    long[] hashes;

    Entry(long number, long sealedNs, long[] hashes) {
      this.number = number;
      this.sealedNs = sealedNs;
      this.count = hashes.length;
      this.hashes = hashes;
    }
  }

  SealedIds(Disk disk, Path folder) {
    this.disk = disk;
    this.folder = folder;
  }

  /** Writes the ids of a segment, before the manifest lists it. */
  Prepared write(long number, long sealedNs, Sealing.Batch batch) throws IOException {
    long[] hashes = new long[batch.spanCount() + batch.groups().size()];
    long[] keys = new long[hashes.length + batch.groups().size() * 2];
    int spans = 0;
    int keyCount = 0;
    for (Sealing.Group group : batch.groups()) {
      keys[keyCount++] = Hashes.session(group.key());
      long last = 0;
      if (group.verdict() != null) {
        Verdict verdict = group.verdict();
        hashes[spans++] = Hashes.verdict(verdict);
        last = Hashes.trace(verdict.traceHigh(), verdict.traceLow());
        keys[keyCount++] = last;
      }
      for (SpanRow row : group.spans()) {
        SpanRecord told = row.told();
        hashes[spans++] = Hashes.span(told.traceHigh(), told.traceLow(), told.spanId());
        long trace = Hashes.trace(told.traceHigh(), told.traceLow());
        if (trace != last) {
          keys[keyCount++] = trace;
          last = trace;
        }
      }
    }
    hashes = Arrays.copyOf(hashes, spans);
    Arrays.sort(hashes);
    keys = Arrays.copyOf(keys, keyCount);
    Prepared prepared = new Prepared(number, sealedNs, hashes, keys);
    write(prepared, folder.resolve(name(number)));
    return prepared;
  }

  private void write(Prepared ids, Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(8 * (HEAD + ids.hashes().length + ids.keys().length));
    bytes
        .asLongBuffer()
        .put(ids.sealedNs())
        .put(ids.hashes().length)
        .put(ids.keys().length)
        .put(ids.hashes())
        .put(ids.keys());
    disk.delete(file);
    try (AppendFile out = disk.openForAppend(file)) {
      out.write(bytes);
      out.force();
    }
  }

  /** Ids written but not yet in force. */
  record Prepared(long number, long sealedNs, long[] hashes, long[] keys) {}

  /** The manifest lists the segment. */
  void add(Prepared prepared) {
    for (long key : prepared.keys()) {
      traces.add(key, prepared.sealedNs());
    }
    remember(new Entry(prepared.number(), prepared.sealedNs(), prepared.hashes()));
  }

  private void remember(Entry entry) {
    entries.addLast(entry);
    inMemory += entry.hashes.length;
    for (Entry old : entries) {
      if (inMemory <= MOST_IN_MEMORY) {
        break;
      }
      if (old.hashes != null && old != entry) {
        inMemory -= old.hashes.length;
        old.hashes = null;
      }
    }
  }

  /**
   * Reads the ids of these segments. A file that is damaged is left out: what the journal brings
   * back is compared with the segments themselves.
   *
   * @param numbers some may have been forgotten since they were noted
   */
  void load(List<Long> numbers) throws IOException {
    List<String> present = disk.list(folder);
    for (long number : numbers) {
      if (present.contains(name(number))) {
        Prepared ids = read(number);
        if (ids == null) {
          System.err.println(
              "rollscope: " + folder.resolve(name(number)) + ": damaged, and not used");
        } else {
          add(ids);
        }
      }
    }
  }

  long sinceNs() {
    return entries.stream().mapToLong(e -> e.sealedNs).min().orElse(Long.MAX_VALUE);
  }

  /**
   * Forgets some ids.
   *
   * @param gone sorted hashes
   */
  void forget(long[] gone) throws IOException {
    for (Entry entry : entries) {
      Prepared all = read(entry.number);
      if (all == null) {
        throw new IOException(folder.resolve(name(entry.number)) + ": damaged");
      }
      long[] rest =
          Arrays.stream(all.hashes()).filter(h -> Arrays.binarySearch(gone, h) < 0).toArray();
      if (rest.length < all.hashes().length) {
        Path file = folder.resolve(name(entry.number));
        Path fresh = folder.resolve(name(entry.number) + ".new");
        write(new Prepared(all.number(), all.sealedNs(), rest, all.keys()), fresh);
        disk.rename(fresh, file);
        disk.forceFolder(folder);
        inMemory -= entry.hashes == null ? 0 : entry.hashes.length - rest.length;
        entry.hashes = entry.hashes == null ? null : rest;
        entry.count = rest.length;
      }
    }
  }

  /** The segments whose ids are remembered, in a list of the caller's. */
  List<Long> numbers() {
    return entries.stream().map(e -> e.number).collect(Collectors.toCollection(ArrayList::new));
  }

  /** Null if the file is damaged. */
  private Prepared read(long number) throws IOException {
    Path file = folder.resolve(name(number));
    try (ReadFile in = disk.openForRead(file)) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(in.size()));
      in.read(bytes, 0);
      LongBuffer longs = bytes.flip().asLongBuffer();
      boolean whole = longs.remaining() >= HEAD;
      long sealedNs = whole ? longs.get() : 0;
      long count = whole ? longs.get() : 0;
      long keys = whole ? longs.get() : 0;
      if (!whole || count < 0 || keys < 0 || longs.remaining() != count + keys) {
        return null;
      }
      long[] hashes = new long[(int) count];
      longs.get(hashes);
      long[] filter = new long[(int) keys];
      longs.get(filter);
      return new Prepared(number, sealedNs, hashes, filter);
    }
  }

  static String name(long number) {
    return String.format(PREFIX + "%08d", number);
  }

  /**
   * Forgets what was sealed more than an hour before, and its files.
   *
   * @param segment only what has a lower number
   */
  void forgetOld(long ns, long segment) throws IOException {
    long before = Math.max(0, ns) - REMEMBERED_NS;
    traces.forgetBefore(before);
    while (!entries.isEmpty()
        && entries.peekFirst().sealedNs < before
        && entries.peekFirst().number < segment) {
      Entry gone = entries.removeFirst();
      inMemory -= gone.hashes == null ? 0 : gone.hashes.length;
      disk.delete(folder.resolve(name(gone.number)));
    }
  }

  @Override
  public boolean mayHoldTrace(long traceHigh, long traceLow) {
    return traces.mayContain(Hashes.trace(traceHigh, traceLow));
  }

  @Override
  public boolean mayHold(SessionKey key) {
    return traces.mayContain(Hashes.session(key));
  }

  @Override
  public boolean holds(long traceHigh, long traceLow, long spanId) {
    return holds(Hashes.span(traceHigh, traceLow, spanId));
  }

  @Override
  public boolean holds(Verdict verdict) {
    return holds(Hashes.verdict(verdict));
  }

  private boolean holds(long hash) {
    var newestFirst = entries.descendingIterator();
    while (newestFirst.hasNext()) {
      Entry entry = newestFirst.next();
      if (entry.hashes != null
          ? Arrays.binarySearch(entry.hashes, hash) >= 0
          : search(entry, hash)) {
        return true;
      }
    }
    return false;
  }

  private boolean search(Entry entry, long hash) {
    ByteBuffer one = ByteBuffer.allocate(8);
    try (ReadFile in = disk.openForRead(folder.resolve(name(entry.number)))) {
      int low = 0;
      int high = entry.count - 1;
      while (low <= high) {
        int middle = (low + high) >>> 1;
        one.clear();
        in.read(one, 8L * (HEAD + middle));
        long found = one.getLong(0);
        if (found == hash) {
          return true;
        }
        if (found < hash) {
          low = middle + 1;
        } else {
          high = middle - 1;
        }
      }
      return false;
    } catch (IOException e) {
      // Rather twice than never: compaction finds the copy.
      return false;
    }
  }
}
