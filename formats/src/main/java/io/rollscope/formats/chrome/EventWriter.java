package io.rollscope.formats.chrome;

import io.rollscope.formats.json.Decimals;
import io.rollscope.formats.json.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes events in their final order and finds the row of each slice.
 *
 * <p>Coroutines of one thread overlap each other without nesting. On one row Perfetto drops such a
 * slice and chrome://tracing draws it over the other. They are moved to further rows, threads of
 * their own called {@code AsyncTaskRunner (2)}: unlike asynchronous events, these both viewers show
 * next to the thread, with durations and arguments as everywhere, and the line stays as it was.
 */
final class EventWriter implements SortedRuns.Taker {
  /**
   * Start and length are rounded down each by itself, and a length of 0 up to 1, so a slice may
   * seem to outlast the one around it by so much.
   */
  private static final long ROUNDING_NS = 2000;

  private record ExtraRow(int track, int row, SourceId tid) {}

  private final EventList events;
  private final Tracks tracks;
  private final byte[][] tids;
  private final Rows[] rows;
  private final List<List<byte[]>> extraTids = new ArrayList<>();
  private final List<ExtraRow> extraRows = new ArrayList<>();
  private final byte[] number = new byte[Decimals.MAX_BYTES];
  private long written;
  private long moved;

  EventWriter(EventList events, Tracks tracks) {
    this.events = events;
    this.tracks = tracks;
    this.tids = new byte[tracks.count()][];
    this.rows = new Rows[tracks.count()];
    for (int i = 0; i < tids.length; i++) {
      tids[i] = tracks.get(i).tid().text().getBytes(StandardCharsets.UTF_8);
      extraTids.add(new ArrayList<>());
    }
  }

  @Override
  public void record(byte[] b, int at, int size) throws IOException {
    written++;
    long place = EventRecord.getLong(b, at + EventRecord.PLACE);
    int track = EventRecord.track(place);
    int tidAt = EventRecord.getInt(b, at + EventRecord.TID_AT);
    long lengthNs = EventRecord.getLong(b, at + EventRecord.LENGTH_NS);
    int durAt = EventRecord.getInt(b, at + EventRecord.DUR_AT);
    byte[] tid = tids[track];
    long cutTo = -1;
    if (EventRecord.mustNest(lengthNs)) {
      long start =
          Micros.nanos(EventRecord.getLong(b, at + EventRecord.WHOLE), EventRecord.parts(place));
      int row = place(track, start, start + lengthNs, durAt >= 0);
      long end = rows[track].placedEnd();
      if (end < start + lengthNs) {
        cutTo = end - start;
      }
      if (row > 0) {
        moved++;
        tid = extraTid(track, row);
      }
    }
    write(b, at + EventRecord.HEADER, at + size, tidAt, tid, durAt, cutTo);
  }

  private int place(int track, long start, long end, boolean roundedDown) {
    if (rows[track] == null) {
      rows[track] = new Rows((row, slice) -> {});
    }
    return rows[track].place(start, end, roundedDown ? ROUNDING_NS : 0, 0);
  }

  private byte[] extraTid(int track, int row) {
    List<byte[]> known = extraTids.get(track);
    while (known.size() < row) {
      SourceId tid = new SourceId(tracks.freeTid(tracks.get(track).pid()), null);
      extraRows.add(new ExtraRow(track, known.size() + 1, tid));
      known.add(tid.text().getBytes(StandardCharsets.US_ASCII));
    }
    return known.get(row - 1);
  }

  private void write(byte[] b, int from, int to, int tidAt, byte[] tid, int durAt, long cutToNs)
      throws IOException {
    JsonText json = events.next();
    int done = from;
    boolean durFirst = durAt < tidAt;
    if (cutToNs >= 0 && durFirst) {
      done = cut(json, b, done, from + durAt, cutToNs);
    }
    if (tidAt >= 0) {
      json.raw(b, done, from + tidAt - done).raw(tid, 0, tid.length);
      done = from + tidAt;
    }
    if (cutToNs >= 0 && !durFirst) {
      done = cut(json, b, done, from + durAt, cutToNs);
    }
    json.raw(b, done, to - done);
  }

  /** Writes up to the duration, and another duration instead; returns where the line goes on. */
  private int cut(JsonText json, byte[] b, int done, int durFrom, long nanos) {
    json.raw(b, done, durFrom - done);
    json.raw(number, 0, Decimals.putThousandths(number, 0, nanos));
    int end = durFrom;
    while (b[end] >= '0' && b[end] <= '9') {
      end++;
    }
    return end;
  }

  /** Names the further rows. It is known only now which there are; viewers do not mind. */
  void writeExtraRows(MetadataWriter metadata) throws IOException {
    Map<Tracks.Track, ThreadKey> threads = new HashMap<>();
    tracks.byThread().forEach((thread, track) -> threads.putIfAbsent(track, thread));
    for (ExtraRow extra : extraRows) {
      Tracks.Track base = tracks.get(extra.track());
      metadata.extraRow(threads.get(base), extra.row(), base, extra.tid());
    }
  }

  long written() {
    return written;
  }

  /** How many slices were moved to a further row. */
  long moved() {
    return moved;
  }
}
