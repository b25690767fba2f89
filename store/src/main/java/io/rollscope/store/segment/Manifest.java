package io.rollscope.store.segment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rollscope.store.disk.AppendFile;
import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.ReadFile;
import io.rollscope.store.journal.Position;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * Which segments there are. Replaced as a whole, in one step; what it does not list does not exist.
 *
 * @param next number of the next segment
 * @param points up to here the journal's metric points are in segments
 * @param joined up to this number, sessions were joined with those of the same name before
 * @param damaged what was set aside
 * @param ids numbers of the segments whose ids are remembered; files of others do not count
 */
public record Manifest(
    int version,
    long next,
    Position points,
    List<Segment> segments,
    List<Long> ids,
    long joined,
    List<Damage> damaged) {
  /**
   * That of the whole data folder. {@link FolderUpgrade} and {@link SessionUpgrade} know what older
   * ones lack.
   */
  static final int VERSION = 3;

  /** From this version on, every file has a size and a checksum. */
  static final int CHECKSUMS = 2;

  static final String FILE = "manifest.json";
  private static final String FRESH = FILE + ".new";

  private static final ObjectMapper JSON =
      JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();

  public Manifest {
    segments = List.copyOf(segments);
    ids = List.copyOf(ids);
    damaged = List.copyOf(damaged);
  }

  /**
   * Reads the manifest of a folder, which may be of an older version with checksums. That of a
   * folder without any segment is empty.
   *
   * @throws DamagedManifestException if there is none, or one that nobody can read
   */
  static Manifest read(Disk disk, Path folder) throws IOException {
    List<String> files = disk.list(folder);
    if (!files.contains(FILE)) {
      for (String file : files) {
        if (file.endsWith(".parquet")) {
          throw new DamagedManifestException("missing", null);
        }
      }
      return new Manifest(VERSION, 1, new Position(0, 0), List.of(), List.of(), 0, List.of());
    }
    JsonNode tree = tree(disk, folder);
    int version = tree.path("version").asInt();
    if (version > VERSION) {
      throw new IOException(
          folder.resolve(FILE)
              + ": version "
              + version
              + " (expected: at most "
              + VERSION
              + "; a newer Rollscope wrote this folder)");
    }
    if (version < 1) {
      throw new DamagedManifestException("no version (expected: a manifest)", null);
    }
    if (version < CHECKSUMS) {
      throw new IOException(
          folder.resolve(FILE)
              + ": version "
              + version
              + " (expected: "
              + VERSION
              + "; rollscope server start and server repair upgrade it)");
    }
    return parse(tree);
  }

  /** Reads the file, whatever its version is. */
  static JsonNode tree(Disk disk, Path folder) throws IOException {
    try (ReadFile in = disk.openForRead(folder.resolve(FILE))) {
      ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(in.size()));
      in.read(buffer, 0);
      return JSON.readTree(buffer.array());
    } catch (JsonProcessingException e) {
      throw new DamagedManifestException(e.getOriginalMessage() + " (expected: a manifest)", e);
    }
  }

  static Manifest parse(JsonNode tree) throws IOException {
    try {
      return JSON.treeToValue(tree, Manifest.class);
    } catch (JsonProcessingException e) {
      throw new DamagedManifestException(e.getOriginalMessage() + " (expected: a manifest)", e);
    }
  }

  /** Makes this the manifest of a folder, durably. */
  void write(Disk disk, Path folder) throws IOException {
    prepare(disk, folder);
    putInForce(disk, folder);
  }

  /** Writes it beside the one in force. */
  void prepare(Disk disk, Path folder) throws IOException {
    Path fresh = folder.resolve(FRESH);
    disk.delete(fresh);
    try (AppendFile out = disk.openForAppend(fresh)) {
      out.write(ByteBuffer.wrap(JSON.writeValueAsBytes(this)));
      out.force();
    }
  }

  /** If this fails, nobody knows which one is in force. */
  static void putInForce(Disk disk, Path folder) throws IOException {
    disk.rename(folder.resolve(FRESH), folder.resolve(FILE));
    disk.forceFolder(folder);
  }
}
