package io.rollscope.store.segment;

import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.ReadFile;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Finds out whether a segment is as it was written. Each method says what is wrong, or null. */
final class SegmentCheck {
  private final Disk disk;
  private final Path folder;

  SegmentCheck(Disk disk, Path folder) {
    this.disk = disk;
    this.folder = folder;
  }

  /** Looks whether its files are there and have their size. */
  String sizes(Segment segment, List<String> present) throws IOException {
    for (String file : segment.files()) {
      String wrong = size(segment, file, present);
      if (wrong != null) {
        return file + " " + wrong;
      }
    }
    return null;
  }

  /** The same for one file. */
  String size(Segment segment, String file, List<String> present) throws IOException {
    if (!present.contains(file)) {
      return "is missing";
    }
    FileSum expected = segment.sums().get(file);
    if (expected == null) {
      return "had another size than written when the folder was upgraded";
    }
    try (ReadFile in = disk.openForRead(folder.resolve(file))) {
      return in.size() == expected.bytes()
          ? null
          : "has " + in.size() + " bytes (expected: " + expected.bytes() + ")";
    }
  }

  /** Reads its files. */
  String checksums(Segment segment) throws IOException {
    List<String> present = disk.list(folder);
    for (String file : segment.files()) {
      String wrong = checksum(segment, file, present);
      if (wrong != null) {
        return file + " " + wrong;
      }
    }
    return null;
  }

  /** The same for one file. */
  String checksum(Segment segment, String file, List<String> present) throws IOException {
    String wrong = size(segment, file, present);
    if (wrong != null) {
      return wrong;
    }
    FileSum expected = segment.sums().get(file);
    String found = FileSum.of(disk, folder.resolve(file)).crc32c();
    return found.equals(expected.crc32c())
        ? null
        : "has checksum " + found + " (expected: " + expected.crc32c() + ")";
  }

  /** Reads every value: a file can be broken although it is as it was when it got its checksum. */
  String contents(Segment segment, Duck duck) {
    for (String file : segment.files()) {
      String sql =
          "SELECT bit_xor(hash(t)) FROM read_parquet("
              + Duck.quoted(folder.resolve(file).toString())
              + ") t";
      try (Connection connection = duck.connect();
          Statement statement = connection.createStatement()) {
        statement.execute(sql);
      } catch (SQLException e) {
        return file + " cannot be read: " + Segments.firstLine(e);
      }
    }
    return null;
  }
}
