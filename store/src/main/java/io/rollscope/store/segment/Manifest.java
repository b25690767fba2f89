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
 * @param ids numbers of the segments whose ids are remembered; files of others do not count
 */
public record Manifest(
    int version, long next, Position points, List<Segment> segments, List<Long> ids, long joined) {
  static final int VERSION = 1;
  static final String FILE = "manifest.json";
  private static final String FRESH = FILE + ".new";

  private static final ObjectMapper JSON =
      JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();

  public Manifest {
    segments = List.copyOf(segments);
    ids = List.copyOf(ids);
  }

  /**
   * Reads the manifest of a folder and looks whether its files are there. A folder without any file
   * gets an empty one.
   */
  static Manifest read(Disk disk, Path folder) throws IOException {
    List<String> files = disk.list(folder);
    if (!files.contains(FILE)) {
      for (String file : files) {
        if (file.endsWith(".parquet")) {
          throw new IOException(
              folder.resolve(FILE) + ": missing (expected: the list of " + file + " and others)");
        }
      }
      Manifest empty = new Manifest(VERSION, 1, new Position(0, 0), List.of(), List.of(), 0);
      empty.write(disk, folder);
      return empty;
    }
    Manifest manifest = parse(disk, folder);
    for (Segment segment : manifest.segments()) {
      segment.check(disk, folder, files);
    }
    return manifest;
  }

  private static Manifest parse(Disk disk, Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    byte[] bytes;
    try (ReadFile in = disk.openForRead(file)) {
      ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(in.size()));
      in.read(buffer, 0);
      bytes = buffer.array();
    }
    try {
      JsonNode tree = JSON.readTree(bytes);
      if (tree.path("version").asInt() != VERSION) {
        throw new IOException(
            file + ": version " + tree.path("version") + " (expected: " + VERSION + ")");
      }
      return JSON.treeToValue(tree, Manifest.class);
    } catch (JsonProcessingException e) {
      throw new IOException(file + ": " + e.getOriginalMessage() + " (expected: a manifest)", e);
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
