package io.rollscope.store.segment;

import io.rollscope.core.steps.Steps;
import io.rollscope.store.disk.AppendFile;
import io.rollscope.store.disk.Disk;
import io.rollscope.store.hot.HotStore.HotPoint;
import io.rollscope.store.hot.SealedSpans;
import io.rollscope.store.hot.Sealing;
import io.rollscope.store.hot.SessionRow;
import io.rollscope.store.hot.SpanRow;
import io.rollscope.store.journal.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
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

  /** Where damaged ones are put, beside it. */
  public static final String DAMAGED = "damaged";

  /** Names that only we give. */
  private static final Pattern OURS =
      Pattern.compile(
          "(ids-\\d+|(spans|sessions|metrics)-\\d+(\\.v\\d+)?\\.parquet)(\\.new)?"
              + "|manifest\\.json\\.new");

  /** Small row groups cost nothing, and one session is found in a third of the time. */
  private static final String OPTIONS =
      """
       (FORMAT parquet, PARQUET_VERSION V2, COMPRESSION zstd, ROW_GROUP_SIZE 20480,
       USE_TMP_FILE false, %s)""";

  /** What DuckDB says before it says what is wrong. */
  private static final String PENDING = "unsuccessful or closed pending query result";

  /** Older steps than those of so many spans are no metric's any more. */
  private static final long MOST_STEP_ROWS = 5_000_000;

  private final Disk disk;
  private final Path folder;
  private final Duck duck;
  private final SealedIds ids;
  private final MetricFiles metricFiles;
  private final SegmentCheck check;
  private final List<String> doubtful = new ArrayList<>();
  private volatile Manifest manifest;

  /** No number is used twice, not even that of a segment that could not be finished. */
  private long next;

  private long joined;

  /** That of the folder: older than ours only while it is being upgraded. */
  private int version;

  private final AtomicLong cutEvents = new AtomicLong();

  private Segments(Disk disk, Path folder, Duck duck, Manifest manifest) {
    this.disk = disk;
    this.folder = folder;
    this.duck = duck;
    this.manifest = manifest;
    this.next = manifest.next();
    this.joined = manifest.joined();
    this.version = manifest.version();
    this.ids = new SealedIds(disk, folder);
    this.metricFiles = new MetricFiles(duck, folder);
    this.check = new SegmentCheck(disk, folder);
  }

  /**
   * Opens the segments of a data folder: brings them to the current version, sets aside what is
   * damaged at first sight, and removes what a crash left half done.
   */
  public static Segments open(Disk disk, Path data, Duck duck, long nowNs) throws IOException {
    Path folder = data.resolve(FOLDER);
    disk.createFolders(folder);
    FolderUpgrade.addChecksums(disk, folder);
    Segments segments = new Segments(disk, folder, duck, manifest(disk, folder, duck, nowNs));
    segments.setAside(segments.wrongSizes(nowNs));
    segments.moveAside();
    segments.ids.load(segments.manifest.ids());
    segments.removeUnlisted();
    if (segments.version < Manifest.VERSION) {
      new SessionUpgrade(segments, nowNs).run();
      segments.removeUnlisted();
    }
    return segments;
  }

  private static Manifest manifest(Disk disk, Path folder, Duck duck, long nowNs)
      throws IOException {
    try {
      Manifest read = Manifest.read(disk, folder);
      if (!disk.list(folder).contains(Manifest.FILE)) {
        read.write(disk, folder); // Before the first segment, so that its absence means a loss.
      }
      return read;
    } catch (DamagedManifestException e) {
      System.err.println(
          "rollscope: "
              + folder.resolve(Manifest.FILE)
              + ": "
              + e.getMessage()
              + "; a new one is made from the segments");
      Manifest rebuilt = ManifestRebuild.run(disk, folder, duck, e.getMessage(), nowNs);
      rebuilt.damaged().forEach(d -> System.err.println("rollscope: set aside: " + d.text()));
      return rebuilt;
    }
  }

  // ---- damage ----------------------------------------------------------------------------------

  private List<Damage> wrongSizes(long nowNs) throws IOException {
    List<String> present = disk.list(folder);
    List<Damage> found = new ArrayList<>();
    for (Segment segment : manifest.segments()) {
      String wrong = check.sizes(segment, present);
      if (wrong != null) {
        found.add(new Damage(segment.files(), wrong, nowNs, segment));
      }
    }
    return found;
  }

  /** What is wrong with a segment, or null; every value is read if it has to be thorough. */
  String wrongWith(Segment segment, boolean thorough) throws IOException {
    String wrong = check.checksums(segment);
    return wrong == null && thorough ? check.contents(segment, duck) : wrong;
  }

  /** Lists these segments as damaged: nobody reads them any more. Tells the operator. */
  public void setAside(List<Damage> found) throws IOException {
    if (found.isEmpty()) {
      return;
    }
    Set<Long> numbers = new HashSet<>();
    found.forEach(damage -> numbers.add(damage.segment().number()));
    List<Segment> rest =
        manifest.segments().stream().filter(s -> !numbers.contains(s.number())).toList();
    List<Damage> damaged = new ArrayList<>(manifest.damaged());
    damaged.addAll(found);
    replace(manifest.points(), rest, ids.numbers(), List.of(), damaged);
    for (Damage damage : found) {
      System.err.println(
          "rollscope: segment "
              + damage.segment().number()
              + " is damaged and was set aside: "
              + damage.reason()
              + "; the rest is served (see: rollscope server repair)");
    }
    moveAside();
  }

  /** Out of the way of those who read the folder; a crash may have come before. */
  private void moveAside() throws IOException {
    List<String> present = disk.list(folder);
    Path aside = folder.resolveSibling(DAMAGED);
    boolean moved = false;
    for (Damage damage : manifest.damaged()) {
      for (String file : damage.files()) {
        if (present.contains(file) && !file.equals(Manifest.FILE)) {
          disk.createFolders(aside);
          disk.rename(folder.resolve(file), aside.resolve(file));
          moved = true;
        }
      }
    }
    if (moved) {
      disk.forceFolder(aside);
      disk.forceFolder(folder);
    }
  }

  /**
   * Reads every value of every segment and sets aside those that cannot be read.
   *
   * @return how many
   */
  public int setAsideUnreadable(long nowNs) throws IOException {
    SegmentVerification all = new SegmentVerification(this);
    all.begin(true);
    List<Damage> found = all.step(Long.MAX_VALUE, nowNs);
    setAside(found);
    return found.size();
  }

  /**
   * Lists again what was set aside and is as it was written.
   *
   * @return what is used again
   */
  public List<Damage> readmit() throws IOException {
    Path aside = folder.resolveSibling(DAMAGED);
    disk.createFolders(aside);
    SegmentCheck there = new SegmentCheck(disk, aside);
    List<Damage> whole = new ArrayList<>();
    List<Segment> all = new ArrayList<>(manifest.segments());
    for (Damage damage : manifest.damaged()) {
      Segment segment = damage.segment();
      if (segment != null && there.checksums(segment) == null) {
        for (String file : segment.files()) {
          disk.rename(aside.resolve(file), folder.resolve(file));
        }
        if (check.contents(segment, duck) == null) {
          whole.add(damage);
          all.add(segment);
        }
      }
    }
    disk.forceFolder(folder);
    disk.forceFolder(aside);
    List<Damage> rest = manifest.damaged().stream().filter(d -> !whole.contains(d)).toList();
    all.sort(Comparator.comparingLong(Segment::sealedNs).thenComparing(Segment::number));
    replace(manifest.points(), all, ids.numbers(), List.of(), rest);
    moveAside();
    return whole;
  }

  /** Forgets everything that was set aside, and deletes its files. */
  public void deleteDamaged() throws IOException {
    List<Damage> gone = manifest.damaged();
    replace(manifest.points(), manifest.segments(), ids.numbers(), List.of(), List.of());
    Path aside = folder.resolveSibling(DAMAGED);
    disk.createFolders(aside);
    for (Damage damage : gone) {
      for (String file : damage.files()) {
        disk.delete(aside.resolve(file));
      }
    }
    disk.forceFolder(aside);
  }

  /** Forgets that the manifest was lost: the new one is as good. */
  public void forgetLostManifest() throws IOException {
    List<Damage> rest =
        manifest.damaged().stream().filter(d -> !d.files().contains(Manifest.FILE)).toList();
    replace(manifest.points(), manifest.segments(), ids.numbers(), List.of(), rest);
  }

  /** The listed segment of this number. */
  Segment segment(long number) {
    return manifest.segments().stream().filter(s -> s.number() == number).findFirst().orElseThrow();
  }

  // ---- reading ---------------------------------------------------------------------------------

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
            runs,
            Map.of(),
            0);
    try {
      Map<String, FileSum> sums = new HashMap<>();
      if (segment.spans() > 0) {
        SpanRows spans = new SpanRows(duck.allocator(), batch.spans());
        sums.put(segment.spansFile(), write(spans, segment.spansFile(), last));
        cutEvents.addAndGet(spans.cutEvents());
      }
      if (segment.sessions() > 0) {
        SessionRows sessions = new SessionRows(duck.allocator(), batch.sessions().iterator());
        sums.put(segment.sessionsFile(), write(sessions, segment.sessionsFile(), last));
      }
      if (segment.points() > 0) {
        PointRows rows = new PointRows(duck.allocator(), sorted(points).iterator());
        sums.put(segment.metricsFile(), write(rows, segment.metricsFile(), last));
      }
      SealedIds.Prepared sealed = ids.write(number, nowNs, batch);
      disk.forceFolder(folder);
      return new Prepared(segment.with(sums), sealed, last);
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

  private FileSum write(RowReader<?> rows, String name, Position points) throws IOException {
    Path fresh = fresh(name);
    try {
      duck.run(rows, copy("SELECT * FROM rows", fresh, List.of(), points));
    } catch (SQLException e) {
      throw new IOException(folder + ": cannot write " + name + ": " + firstLine(e), e);
    }
    return finish(fresh, name);
  }

  /** Makes an empty file for DuckDB to write: nobody else may read it. */
  Path fresh(String name) throws IOException {
    Path fresh = folder.resolve(name + ".new");
    disk.openForAppend(fresh).close();
    return fresh;
  }

  /** SQL that writes these rows into a file. */
  static String copy(String rows, Path to, Collection<Long> replaces, Position points) {
    return "COPY ("
        + rows
        + ") TO "
        + Duck.quoted(to.toString())
        + OPTIONS.formatted(FileMetadata.option(replaces, points));
  }

  /** A file that DuckDB wrote becomes durable and gets its name. */
  FileSum finish(Path fresh, String name) throws IOException {
    FileSum sum = FileSum.of(disk, fresh);
    try (AppendFile file = disk.openForAppend(fresh)) {
      file.force();
    }
    disk.rename(fresh, folder.resolve(name));
    return sum;
  }

  /** What went wrong, in one line. */
  public static String firstLine(SQLException e) {
    return String.valueOf(e.getMessage())
        .lines()
        .filter(line -> !line.contains(PENDING) || e.getMessage().equals(line))
        .findFirst()
        .orElse("");
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
    replace(prepared.points, all, withIds, List.of(prepared.segment), manifest.damaged());
    ids.add(prepared.ids);
  }

  /** Lists these segments: all that an upgrade wrote anew counts from here on. */
  void upgraded(List<Segment> all) throws IOException {
    int before = version;
    version = Manifest.VERSION;
    try {
      replace(all, List.of());
    } catch (IOException | RuntimeException | Error e) {
      version = before;
      throw e;
    }
  }

  /** Lists other segments instead of those that are listed. */
  void replace(List<Segment> all, List<Segment> added) throws IOException {
    replace(manifest.points(), all, ids.numbers(), added, manifest.damaged());
  }

  private void replace(
      Position points,
      List<Segment> all,
      List<Long> withIds,
      List<Segment> added,
      List<Damage> damaged)
      throws IOException {
    Manifest fresh = new Manifest(version, next, points, all, withIds, joined, damaged);
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
