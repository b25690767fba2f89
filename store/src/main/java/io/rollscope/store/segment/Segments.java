package io.rollscope.store.segment;

import io.rollscope.store.disk.AppendFile;
import io.rollscope.store.disk.Disk;
import io.rollscope.store.hot.HotStore.HotPoint;
import io.rollscope.store.hot.SealedSpans;
import io.rollscope.store.hot.Sealing;
import io.rollscope.store.hot.SessionRow;
import io.rollscope.store.hot.SpanRow;
import io.rollscope.store.hot.Steps;
import io.rollscope.store.journal.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * Writes segments and knows which there are. One thread writes; {@link #manifest} may be asked by
 * any.
 */
public final class Segments {
  /** Where segments lie in the data folder. The version is that of the columns. */
  public static final String FOLDER = "segments/v1";

  /** Names that only we give. */
  private static final Pattern OURS =
      Pattern.compile(
          "(ids-\\d+|(spans|sessions|metrics)-\\d+\\.parquet)(\\.new)?|manifest\\.json\\.new");

  /** Small row groups cost nothing, and one session is found in a third of the time. */
  static final String OPTIONS =
      " (FORMAT parquet, PARQUET_VERSION V2, COMPRESSION zstd, ROW_GROUP_SIZE 20480)";

  /** What DuckDB says before it says what is wrong. */
  private static final String PENDING = "unsuccessful or closed pending query result";

  /** Older steps than those of so many spans are no metric's any more. */
  private static final long MOST_STEP_ROWS = 5_000_000;

  private final Disk disk;
  private final Path folder;
  private final Duck duck;
  private final SealedIds ids;
  private final MetricFiles metricFiles;
  private final List<String> doubtful = new ArrayList<>();
  private volatile Manifest manifest;

  /** No number is used twice, not even that of a segment that could not be finished. */
  private long next;

  private long joined;
  private final AtomicLong cutEvents = new AtomicLong();

  private Segments(Disk disk, Path folder, Duck duck, Manifest manifest) {
    this.disk = disk;
    this.folder = folder;
    this.duck = duck;
    this.manifest = manifest;
    this.next = manifest.next();
    this.joined = manifest.joined();
    this.ids = new SealedIds(disk, folder);
    this.metricFiles = new MetricFiles(duck, folder);
  }

  /** Opens the segments of a data folder and removes what a crash left half done. */
  public static Segments open(Disk disk, Path data, Duck duck) throws IOException {
    Path folder = data.resolve(FOLDER);
    disk.createFolders(folder);
    Segments segments = new Segments(disk, folder, duck, Manifest.read(disk, folder));
    segments.ids.load(segments.manifest.ids());
    segments.removeUnlisted();
    return segments;
  }

  private void removeUnlisted() throws IOException {
    Set<String> listed = new HashSet<>();
    manifest.segments().forEach(segment -> listed.addAll(segment.files()));
    manifest.ids().forEach(number -> listed.add(SealedIds.name(number)));
    for (String name : disk.list(folder)) {
      if (OURS.matcher(name).matches() && !listed.contains(name)) {
        disk.delete(folder.resolve(name));
      }
    }
  }

  public Manifest manifest() {
    return manifest;
  }

  public Path folder() {
    return folder;
  }

  public MetricFiles metricFiles() {
    return metricFiles;
  }

  /** Tells when batches began, as far as the newest segments know. */
  public void tellSteps(Steps steps) throws IOException {
    List<String> files = new ArrayList<>();
    long rows = 0;
    List<Segment> all = manifest.segments();
    for (int i = all.size() - 1; i >= 0 && rows < MOST_STEP_ROWS; i--) {
      if (all.get(i).spans() > 0) {
        rows += all.get(i).spans();
        files.add(Duck.quoted(folder.resolve(all.get(i).spansFile()).toString()));
      }
    }
    if (files.isEmpty()) {
      return;
    }
    String sql =
        "SELECT run, train_step, min(start_ns) FROM read_parquet(["
            + String.join(", ", files)
            + "]) WHERE train_step IS NOT NULL GROUP BY run, train_step ORDER BY 3";
    try (Connection connection = duck.connect();
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      while (found.next()) {
        steps.began(found.getString(1), found.getLong(2), found.getLong(3));
      }
    } catch (SQLException e) {
      throw new IOException(folder + ": cannot read: " + firstLine(e), e);
    }
  }

  /** Events and links that were not written, because they are too long. */
  public long cutEvents() {
    return cutEvents.get();
  }

  public SealedSpans sealed() {
    return ids;
  }

  // ---- writing ---------------------------------------------------------------------------------

  /** A segment whose files are durable, and which no manifest lists yet. */
  public static final class Prepared {
    private final Segment segment;
    private final SealedIds.Prepared ids;
    private final Position points;

    private Prepared(Segment segment, SealedIds.Prepared ids, Position points) {
      this.segment = segment;
      this.ids = ids;
      this.points = points;
    }
  }

  /** Writes a sorted batch and metric points. */
  public Prepared write(Sealing.Batch batch, List<HotPoint> points, long nowNs) throws IOException {
    long number = takeNumber();
    Map<String, Long> runs = new HashMap<>();
    long start = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    for (Sealing.Group group : batch.groups()) {
      runs.merge(group.key().run(), (long) group.spans().size(), Long::sum);
      for (SpanRow row : group.spans()) {
        start = Math.min(start, row.told().startNs());
        end = Math.max(end, row.told().isOpen() ? row.told().startNs() : row.told().endNs());
      }
    }
    for (SessionRow row : batch.sessions()) {
      start = Math.min(start, row.startNs());
      end = Math.max(end, row.endNs());
    }
    Position last = manifest.points();
    for (HotPoint point : points) {
      runs.merge(point.point().runOrFallback(), 0L, Long::sum);
      start = Math.min(start, point.point().timeNs());
      end = Math.max(end, point.point().timeNs());
      last = last.compareTo(point.position()) < 0 ? point.position() : last;
    }
    Segment segment =
        new Segment(
            number,
            batch.spanCount(),
            batch.sessions().size(),
            points.size(),
            0,
            start,
            end,
            nowNs,
            runs);
    try {
      long bytes = 0;
      if (segment.spans() > 0) {
        SpanRows spans = new SpanRows(duck.allocator(), batch.spans());
        bytes += write(spans, segment.spansFile());
        cutEvents.addAndGet(spans.cutEvents());
      }
      if (segment.sessions() > 0) {
        bytes +=
            write(
                new SessionRows(duck.allocator(), batch.sessions().iterator()),
                segment.sessionsFile());
      }
      if (segment.points() > 0) {
        bytes +=
            write(
                new PointRows(duck.allocator(), sorted(points).iterator()), segment.metricsFile());
      }
      SealedIds.Prepared sealed = ids.write(number, nowNs, batch);
      disk.forceFolder(folder);
      return new Prepared(withBytes(segment, bytes), sealed, last);
    } catch (IOException | RuntimeException | Error e) {
      discard(segment);
      throw e;
    }
  }

  long takeNumber() {
    return next++;
  }

  /** A chart is about a few metrics: their points lie together. */
  private static List<HotPoint> sorted(List<HotPoint> points) {
    List<HotPoint> sorted = new ArrayList<>(points);
    sorted.sort(
        Comparator.comparing((HotPoint p) -> p.point().runOrFallback())
            .thenComparing(p -> p.point().name())
            .thenComparingLong(p -> p.point().series())
            .thenComparingLong(p -> p.point().timeNs()));
    return sorted;
  }

  private long write(RowReader<?> rows, String name) throws IOException {
    Path fresh = folder.resolve(name + ".new");
    try {
      duck.run(rows, "COPY (SELECT * FROM rows) TO " + Duck.quoted(fresh.toString()) + OPTIONS);
    } catch (SQLException e) {
      throw new IOException(folder + ": cannot write " + name + ": " + firstLine(e), e);
    }
    return finish(fresh, name);
  }

  /** A file that DuckDB wrote becomes durable and gets its name. */
  long finish(Path fresh, String name) throws IOException {
    long bytes;
    try (AppendFile file = disk.openForAppend(fresh)) {
      bytes = file.size();
      file.force();
    }
    disk.rename(fresh, folder.resolve(name));
    return bytes;
  }

  /** What went wrong, in one line. */
  public static String firstLine(SQLException e) {
    return String.valueOf(e.getMessage())
        .lines()
        .filter(line -> !line.contains(PENDING) || e.getMessage().equals(line))
        .findFirst()
        .orElse("");
  }

  static Segment withBytes(Segment s, long bytes) {
    return new Segment(
        s.number(),
        s.spans(),
        s.sessions(),
        s.points(),
        bytes,
        s.startNs(),
        s.endNs(),
        s.sealedNs(),
        s.runs());
  }

  /** Sessions in segments up to this number are whole; the next manifest says so. */
  public void joined(long number) {
    joined = number;
  }

  /** Whether the segment's sessions, if any, were joined with those of the same name before. */
  boolean isJoined(Segment segment) {
    return segment.number() <= joined || segment.sessions() == 0;
  }

  /** Removes the files of a segment that could not be finished, as far as possible. */
  void discard(Segment segment) {
    for (String name : segment.files()) {
      remove(name + ".new");
      remove(name);
    }
    remove(SealedIds.name(segment.number()));
  }

  void remove(String name) {
    try {
      disk.delete(folder.resolve(name));
    } catch (IOException e) {
      // Not listed, so it does not exist for anybody; the next start removes it.
    }
  }

  /** Lists the segment: from here on it counts. */
  public void commit(Prepared prepared) throws IOException {
    List<Segment> all = new ArrayList<>(manifest.segments());
    all.add(prepared.segment);
    List<Long> withIds = ids.numbers();
    withIds.add(prepared.segment.number());
    replace(prepared.points, all, withIds, List.of(prepared.segment));
    ids.add(prepared.ids);
  }

  /** Lists other segments instead of those that are listed. */
  void replace(List<Segment> all, List<Segment> added) throws IOException {
    replace(manifest.points(), all, ids.numbers(), added);
  }

  private void replace(Position points, List<Segment> all, List<Long> withIds, List<Segment> added)
      throws IOException {
    Manifest fresh = new Manifest(Manifest.VERSION, next, points, all, withIds, joined);
    try {
      fresh.prepare(disk, folder);
    } catch (IOException | RuntimeException | Error e) {
      added.forEach(this::discard);
      throw e;
    }
    try {
      Manifest.putInForce(disk, folder);
    } catch (IOException e) {
      // A crash may find either manifest: until the next one is in force, these files must stay.
      for (Segment segment : added) {
        doubtful.addAll(segment.files());
        doubtful.add(SealedIds.name(segment.number()));
      }
      throw e;
    }
    manifest = fresh;
    doubtful.forEach(this::remove);
    doubtful.clear();
  }

  /**
   * Forgets ids older than an hour.
   *
   * @param journalNs the journal holds nothing that was sealed before
   * @param segment likewise, by number
   */
  public void forgetOldIds(long nowNs, long journalNs, long segment) throws IOException {
    ids.forgetOld(Math.min(nowNs, journalNs), segment);
  }

  /** When the oldest segment whose ids are remembered was sealed. */
  public long rememberedSinceNs() {
    return ids.sinceNs();
  }

  /** Forgets these ids, which are sorted. */
  public void forgetIds(long[] hashes) throws IOException {
    ids.forget(hashes);
  }

  Duck duck() {
    return duck;
  }

  Disk disk() {
    return disk;
  }
}
