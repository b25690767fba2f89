package io.rollscope.store.segment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rollscope.store.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Brings a data folder that an older Rollscope wrote to the version with checksums; {@link
 * SessionUpgrade} takes it from there. The manifest says which version a folder has, and it is
 * replaced in one step: after a crash the folder has its old version or the new one.
 */
final class FolderUpgrade {
  private FolderUpgrade() {}

  /** Does nothing to a folder that is up to date, newer, or whose manifest cannot be read. */
  static void addChecksums(Disk disk, Path folder) throws IOException {
    if (!disk.list(folder).contains(Manifest.FILE)) {
      return;
    }
    JsonNode read;
    try {
      read = Manifest.tree(disk, folder);
    } catch (DamagedManifestException e) {
      return; // Not for us to mend.
    }
    int version = read.path("version").asInt();
    if (!(read instanceof ObjectNode tree) || version < 1 || version >= Manifest.CHECKSUMS) {
      return;
    }
    System.err.println(
        "rollscope: "
            + folder
            + ": upgraded from version "
            + version
            + " to "
            + Manifest.CHECKSUMS
            + " (checksums of "
            + tree.path("segments").size()
            + " segments)");
    addChecksums(disk, folder, tree);
    tree.put("version", Manifest.CHECKSUMS);
    Manifest.parse(tree).write(disk, folder);
  }

  /** Version 2: every file has a size and a checksum. One that is missing is noticed later. */
  private static void addChecksums(Disk disk, Path folder, ObjectNode tree) throws IOException {
    List<String> present = disk.list(folder);
    for (JsonNode each : tree.path("segments")) {
      ObjectNode sums = ((ObjectNode) each).putObject("sums");
      long bytes = 0;
      for (String kind : List.of("spans", "sessions", "metrics")) {
        String count = kind.equals("metrics") ? "points" : kind;
        String file = Segment.file(kind, each.path("number").asLong());
        if (each.path(count).asLong() > 0 && present.contains(file)) {
          FileSum sum = FileSum.of(disk, folder.resolve(file));
          sums.putObject(file).put("bytes", sum.bytes()).put("crc32c", sum.crc32c());
          bytes += sum.bytes();
        }
      }
      if (bytes != each.path("bytes").asLong()) {
        ((ObjectNode) each).putObject("sums"); // Not as it was written: what is there is no norm.
      }
    }
    tree.putArray("damaged");
  }
}
