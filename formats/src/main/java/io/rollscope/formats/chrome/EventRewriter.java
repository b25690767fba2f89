package io.rollscope.formats.chrome;

import io.rollscope.formats.folder.LineSource;
import io.rollscope.formats.json.Decimals;
import io.rollscope.formats.scan.BadLineException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The second pass, on one thread: copies lines with new ids and times spliced in. Everything else
 * stays as it was written, byte by byte. The tid is left out, to be filled in once it is known in
 * which row a slice fits.
 */
final class EventRewriter implements LineSource.Reader {
  private enum What {
    PID,
    MISSING_PID,
    TID,
    TS,
    DUR,
    ID,
    CORRELATION
  }

  /**
   * What is known of a thread for writing.
   *
   * @param pid new pid, or 0 to leave it
   */
  private record Target(int track, int pid, long offsetNs, FlowIds flows) {}

  private final LocalThreads threads;
  private final Census census;
  private final Tracks tracks;
  private final Clocks clocks;
  private final boolean nesting;
  private final SortedRuns runs;

  private final List<Target> targets = new ArrayList<>();
  private final EventLine event = new EventLine();
  private final Micros time = new Micros();
  private final Micros duration = new Micros();
  private final EventBatch batch = new EventBatch();
  private List<byte[]> sorted;

  private final What[] what = new What[What.values().length];
  private final int[] from = new int[what.length];
  private final int[] to = new int[what.length];
  private int splices;
  private int tidAt;
  private int durAt;
  private final byte[] digits = new byte[Decimals.MAX_BYTES];

  /**
   * @param nesting whether slices are to be put where they nest
   */
  EventRewriter(
      LocalThreads threads,
      Census census,
      Tracks tracks,
      Clocks clocks,
      boolean nesting,
      SortedRuns runs) {
    this.threads = threads;
    this.census = census;
    this.tracks = tracks;
    this.clocks = clocks;
    this.nesting = nesting;
    this.runs = runs;
  }

  @Override
  public void begin(int file) {
    batch.clear();
  }

  @Override
  public void line(byte[] buffer, int lineFrom, int lineTo, long offset) throws BadLineException {
    event.read(buffer, lineFrom, lineTo);
    if (Metadata.of(event) != null) {
      return;
    }
    Target target = target(threads.of(event));
    time.read(buffer, event.ts);
    time.shift(target.offsetNs());
    planSplices(target);
    batch.begin();
    copy(target);
    batch.finish(time, lengthNs(), target.track(), tidAt, durAt);
  }

  private Target target(int thread) {
    while (targets.size() <= thread) {
      targets.add(null);
    }
    Target target = targets.get(thread);
    if (target == null) {
      ThreadKey key = threads.get(thread);
      int track = tracks.numberOf(key);
      if (track < 0) {
        throw new UncheckedIOException(
            new IOException("a file was written anew while it was converted; try again"));
      }
      int pid = tracks.pids().getOrDefault(key.process(), 0);
      target = new Target(track, pid, clocks.offset(key.process()), census.flows(key.process()));
      targets.set(thread, target);
    }
    return target;
  }

  private void planSplices(Target target) {
    splices = 0;
    tidAt = -1;
    durAt = -1;
    if (target.pid() != 0) {
      if (event.pid.isThere()) {
        plan(What.PID, event.pid.from, event.pid.to);
      } else {
        plan(What.MISSING_PID, event.whole.from + 1, event.whole.from + 1);
      }
    }
    if (event.tid.isThere()) {
      plan(What.TID, event.tid.from, event.tid.to);
    }
    if (target.offsetNs() != 0 && event.ts.isThere()) {
      plan(What.TS, event.ts.from, event.ts.to);
    }
    byte[] b = event.bytes;
    if (event.dur.isThere() && SourceId.isPlainInteger(b, event.dur.from, event.dur.to)) {
      plan(What.DUR, event.dur.from, event.dur.from);
    }
    if (target.flows() != null) {
      if (event.isFlow() && event.isScalar(event.id)) {
        plan(What.ID, event.id.from, event.id.to);
      }
      if (event.isScalar(event.correlation)) {
        plan(What.CORRELATION, event.correlation.from, event.correlation.to);
      }
    }
  }

  /** Keeps the splices in the order of the line. */
  private void plan(What kind, int start, int end) {
    int at = splices++;
    for (; at > 0 && from[at - 1] > start; at--) {
      what[at] = what[at - 1];
      from[at] = from[at - 1];
      to[at] = to[at - 1];
    }
    what[at] = kind;
    from[at] = start;
    to[at] = end;
  }

  private void copy(Target target) {
    byte[] b = event.bytes;
    int done = event.whole.from;
    for (int i = 0; i < splices; i++) {
      batch.append(b, done, from[i]);
      done = to[i];
      switch (what[i]) {
        case PID -> append(target.pid());
        case MISSING_PID -> appendMissingPid(target.pid());
        case TID -> tidAt = batch.lineLength();
        case TS -> append(Micros.shifted(b, event.ts, target.offsetNs()));
        case DUR -> durAt = batch.lineLength();
        case ID -> append(target.flows().numberOf(b, event.id));
        case CORRELATION -> append(target.flows().numberOf(b, event.correlation));
      }
    }
    batch.append(b, done, event.whole.to);
  }

  private void appendMissingPid(long pid) {
    append("\"pid\": ".getBytes(StandardCharsets.US_ASCII));
    append(pid);
    append(", ".getBytes(StandardCharsets.US_ASCII));
  }

  private void append(byte[] ascii) {
    batch.append(ascii, 0, ascii.length);
  }

  private void append(long number) {
    batch.append(digits, 0, Decimals.put(digits, 0, number));
  }

  private long lengthNs() {
    if (!nesting) {
      return EventRecord.AFTER_SLICES;
    }
    char phase = event.phase();
    if (phase == 'E') {
      return EventRecord.BEFORE_SLICES;
    }
    if (phase != 'X' || !event.dur.isThere() || tidAt < 0 || !time.isUsual()) {
      return EventRecord.AFTER_SLICES;
    }
    duration.read(event.bytes, event.dur);
    return duration.isUsual() && duration.whole >= 0 ? duration.nanos() : EventRecord.AFTER_SLICES;
  }

  @Override
  public void end() {
    sorted = batch.isEmpty() ? null : batch.sorted();
  }

  @Override
  public void deliver() throws IOException {
    if (sorted != null) {
      runs.add(sorted);
      sorted = null;
    }
  }
}
