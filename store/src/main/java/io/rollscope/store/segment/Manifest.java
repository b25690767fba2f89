package io.rollscope.store.segment;

import com.fasterxml.jackson.core.JsonProcessingException;
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
 */
public record Manifest(int version, long next, Position points, List<Segment> segments) {
  static final int VERSION = 1;
  static final String FILE = "manifest.json";

  private static final ObjectMapper JSON =
      JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();

  public Manifest {
    segments = List.copyOf(segments);
  }

  static Manifest empty() {
    return new Manifest(VERSION, 1, new Position(0, 0), List.of());
  }

  /** Reads the manifest of a folder; an empty one if there is none. */
  static Manifest read(Disk disk, Path folder) throws IOException {
    if (!disk.list(folder).contains(FILE)) {
      return empty();
    }
    Path file = folder.resolve(FILE);
    byte[] bytes;
    try (ReadFile in = disk.openForRead(file)) {
      ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(in.size()));
      in.read(buffer, 0);
      bytes = buffer.array();
    }
    try {
      Manifest manifest = JSON.readValue(bytes, Manifest.class);
      if (manifest.version() != VERSION) {
        throw new IOException(
            file + ": version " + manifest.version() + " (expected: " + VERSION + ")");
      }
      return manifest;
    } catch (JsonProcessingException e) {
      throw new IOException(file + ": " + e.getOriginalMessage() + " (expected: a manifest)", e);
    }
  }

  /** Makes this the manifest of a folder, durably. */
  void write(Disk disk, Path folder) throws IOException {
    Path fresh = folder.resolve(FILE + ".new");
    disk.delete(fresh);
    try (AppendFile out = disk.openForAppend(fresh)) {
      out.write(ByteBuffer.wrap(JSON.writeValueAsBytes(this)));
      out.force();
    }
    disk.rename(fresh, folder.resolve(FILE));
    disk.forceFolder(folder);
  }
}
