package io.rollscope.store;

import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.DiskLock;
import io.rollscope.store.disk.RealDisk;
import io.rollscope.store.segment.Damage;
import io.rollscope.store.segment.Duck;
import io.rollscope.store.segment.SegmentAudit;
import io.rollscope.store.segment.Segments;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;

/** What can be done with a data folder that no store has open. */
public final class DataFolder {
  private DataFolder() {}

  /**
   * Compares every segment with its checksum. Changes nothing; a server may be running.
   *
   * @param found told of each damaged file
   */
  public static SegmentAudit.Result verify(
      Path data, SegmentAudit.Progress progress, Consumer<SegmentAudit.Problem> found)
      throws IOException {
    return SegmentAudit.run(new RealDisk(), data, progress, found);
  }

  /**
   * Brings a data folder into order: makes a lost manifest anew, sets aside segments that are
   * damaged, and lists those again that were set aside and are sound.
   *
   * @param delete whether what stays damaged is deleted
   * @param done told what was done, a line each
   * @return what stays set aside
   */
  public static List<Damage> repair(Path data, boolean delete, Consumer<String> done)
      throws IOException {
    return inSegments(
        new RealDisk(),
        data,
        System.currentTimeMillis() * 1_000_000L,
        segments -> {
          for (Damage damage : segments.manifest().damaged()) {
            if (damage.files().contains("manifest.json")) {
              done.accept("manifest.json: made from the segments, because: " + damage.reason());
            }
          }
          segments.forgetLostManifest();
          List<Damage> before = segments.manifest().damaged();
          segments.setAsideUnreadable(System.currentTimeMillis() * 1_000_000L);
          for (Damage damage : segments.manifest().damaged()) {
            if (!before.contains(damage)) {
              done.accept("set aside: " + damage.text());
            }
          }
          for (Damage damage : segments.readmit()) {
            done.accept("used again: " + String.join(", ", damage.files()));
          }
          List<Damage> rest = segments.manifest().damaged();
          if (delete && !rest.isEmpty()) {
            segments.deleteDamaged();
            rest.forEach(damage -> done.accept("deleted: " + damage.text()));
            return List.of();
          }
          return rest;
        });
  }

  /** Sets aside what cannot be read, before a store tries again. Returns how many segments. */
  static int setAsideUnreadable(StoreOptions options) throws IOException {
    long now = options.clock().getAsLong();
    return inSegments(options.disk(), options.data(), now, s -> s.setAsideUnreadable(now));
  }

  private interface Work<T> {
    T on(Segments segments) throws IOException;
  }

  private static <T> T inSegments(Disk disk, Path data, long nowNs, Work<T> work)
      throws IOException {
    DiskLock own = Store.lock(disk, data);
    try (Duck duck = Duck.open(data.resolve("tmp"))) {
      return work.on(Segments.open(disk, data, duck, nowNs));
    } catch (SQLException e) {
      throw new IOException("DuckDB cannot be used: " + e.getMessage(), e);
    } finally {
      own.close();
    }
  }
}
