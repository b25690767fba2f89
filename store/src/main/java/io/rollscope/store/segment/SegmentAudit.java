package io.rollscope.store.segment;

import io.rollscope.store.disk.Disk;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Compares every file of a data folder's segments with its checksum, and changes nothing. */
public final class SegmentAudit {
  private SegmentAudit() {}

  /** Told how far it has come. */
  @FunctionalInterface
  public interface Progress {
    void at(long bytes, long ofBytes);
  }

  /** A file that is not as it was written. */
  public record Problem(String file, String reason) {}

  /**
   * What was found.
   *
   * @param files that were read
   * @param bytes of them
   * @param damaged among them
   * @param setAside files that were set aside before
   */
  public record Result(long files, long bytes, long damaged, long setAside) {}

  /** Reads all segments; those that a running server merges meanwhile are left out. */
  public static Result run(Disk disk, Path data, Progress progress, Consumer<Problem> found)
      throws IOException {
    Path folder = data.resolve(Segments.FOLDER);
    Manifest manifest = read(disk, folder);
    SegmentCheck check = new SegmentCheck(disk, folder);
    long total = manifest.segments().stream().mapToLong(Segment::bytes).sum();
    long bytes = 0;
    long files = 0;
    long damaged = 0;
    for (Segment segment : manifest.segments()) {
      for (String file : segment.files()) {
        String wrong = wrong(check, disk, folder, segment, file);
        files++;
        if (wrong != null && isListed(disk, folder, segment)) {
          damaged++;
          found.accept(new Problem(file, wrong));
        }
        FileSum sum = segment.sums().get(file);
        bytes += sum == null ? 0 : sum.bytes();
        progress.at(bytes, total);
      }
    }
    long setAside = manifest.damaged().stream().mapToLong(d -> d.files().size()).sum();
    return new Result(files, bytes, damaged, setAside);
  }

  private static Manifest read(Disk disk, Path folder) throws IOException {
    try {
      return Manifest.read(disk, folder);
    } catch (DamagedManifestException e) {
      throw new IOException(
          folder.resolve(Manifest.FILE)
              + ": "
              + e.getMessage()
              + " (expected: the list of segments; see: rollscope server repair)",
          e);
    }
  }

  private static String wrong(
      SegmentCheck check, Disk disk, Path folder, Segment segment, String file) throws IOException {
    List<String> present = disk.list(folder);
    try {
      return check.checksum(segment, file, present);
    } catch (NoSuchFileException e) {
      return "is missing";
    }
  }

  private static boolean isListed(Disk disk, Path folder, Segment segment) throws IOException {
    return read(disk, folder).segments().contains(segment);
  }
}
