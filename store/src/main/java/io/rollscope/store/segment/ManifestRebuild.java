package io.rollscope.store.segment;

import io.rollscope.store.disk.Disk;
import io.rollscope.store.journal.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes a new manifest from the segments of a folder that lost its own. Which segments were merged
 * into which, and how far in the journal metric points were sealed, the files themselves say.
 */
final class ManifestRebuild {
  private static final Pattern FILE =
      Pattern.compile("(spans|sessions|metrics)-(\\d{1,18})(?:\\.v(\\d{1,9}))?\\.parquet");
  private static final Pattern IDS = Pattern.compile("ids-(\\d{1,18})");

  private final Disk disk;
  private final Path folder;
  private final long nowNs;
  private final List<Segment> segments = new ArrayList<>();
  private final List<Damage> damaged = new ArrayList<>();
  private final Set<Long> replaced = new HashSet<>();
  private final Map<Long, Integer> sessionsVersions = new HashMap<>();
  private Position points = new Position(0, 0);

  /** An older one if there are sessions that have yet to be summarised anew. */
  private int version = Manifest.VERSION;

  private ManifestRebuild(Disk disk, Path folder, long nowNs) {
    this.disk = disk;
    this.folder = folder;
    this.nowNs = nowNs;
  }

  /**
   * Reads all segments and puts a manifest in force.
   *
   * @param reason what became of the old one
   */
  static Manifest run(Disk disk, Path folder, Duck duck, String reason, long nowNs)
      throws IOException {
    return new ManifestRebuild(disk, folder, nowNs).run(duck, reason);
  }

  private Manifest run(Duck duck, String reason) throws IOException {
    SortedMap<Long, List<String>> numbers = new TreeMap<>();
    List<Long> ids = new ArrayList<>();
    for (String name : disk.list(folder)) {
      Matcher file = FILE.matcher(name);
      Matcher hashes = IDS.matcher(name);
      if (file.matches()) {
        long number = Long.parseLong(file.group(2));
        numbers.computeIfAbsent(number, n -> new ArrayList<>()).add(name);
        int rewritten = file.group(3) == null ? 0 : Integer.parseInt(file.group(3));
        sessionsVersions.merge(number, rewritten, Math::max);
      } else if (hashes.matches()) {
        ids.add(Long.parseLong(hashes.group(1)));
      }
    }
    for (Map.Entry<Long, List<String>> each : numbers.entrySet()) {
      read(duck, each.getKey(), each.getValue());
    }
    segments.removeIf(s -> replaced.contains(s.number()));
    segments.sort(Comparator.comparingLong(Segment::sealedNs).thenComparing(Segment::number));
    damaged.add(new Damage(List.of(Manifest.FILE), reason, nowNs, null));
    long last = numbers.isEmpty() ? 0 : numbers.lastKey();
    long lastIds = ids.stream().mapToLong(Long::longValue).max().orElse(0);
    long next = Math.max(last, lastIds) + 1;
    keepOld();
    Manifest fresh = new Manifest(version, next, points, segments, ids, 0, damaged);
    fresh.write(disk, folder);
    return fresh;
  }

  private void read(Duck duck, long number, List<String> all) throws IOException {
    int sessionsVersion = sessionsVersions.get(number);
    List<String> files = new ArrayList<>(all);
    if (sessionsVersion > 0) {
      // An upgrade wrote its sessions anew, and had not yet deleted the old ones.
      files.removeIf(f -> f.startsWith("sessions-"));
      files.add(Segment.sessionsFile(number, sessionsVersion));
    }
    try (Connection connection = duck.connect();
        Statement statement = connection.createStatement()) {
      for (String file : files) {
        read(file, FileMetadata.of(statement, folder.resolve(file)));
      }
      Map<String, FileSum> sums = new HashMap<>();
      for (String file : files) {
        sums.put(file, FileSum.of(disk, folder.resolve(file)));
      }
      Segment segment = SegmentContents.of(statement, disk, folder, number, sessionsVersion, null);
      if (!segment.files().isEmpty()) {
        segments.add(segment.with(sums));
      }
    } catch (SQLException e) {
      String reason = "cannot be read: " + Segments.firstLine(e);
      damaged.add(new Damage(files, reason, nowNs, null));
    }
  }

  private void read(String file, Map<String, String> metadata) throws SQLException {
    int written = FileMetadata.version(metadata);
    if (written > Manifest.VERSION) {
      throw new SQLException(
          "version " + written + " (expected: at most " + Manifest.VERSION + ")");
    }
    if (file.startsWith("sessions-") && written < Manifest.VERSION) {
      version = Manifest.CHECKSUMS;
    }
    replaced.addAll(FileMetadata.replaced(metadata));
    Position upTo = FileMetadata.points(metadata);
    points = points.compareTo(upTo) < 0 ? upTo : points;
  }

  /** What is left of the old manifest may tell somebody something. */
  private void keepOld() throws IOException {
    if (disk.list(folder).contains(Manifest.FILE)) {
      Path aside = folder.resolveSibling(Segments.DAMAGED);
      disk.createFolders(aside);
      disk.rename(folder.resolve(Manifest.FILE), aside.resolve(Manifest.FILE));
      disk.forceFolder(aside);
    }
  }
}
