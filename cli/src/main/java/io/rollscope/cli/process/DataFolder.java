package io.rollscope.cli.process;

import io.rollscope.cli.problem.Failure;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A folder that belongs to one server.
 *
 * @param path the folder; absolute
 */
public record DataFolder(Path path) {
  /** Says that the folder is a data folder even while nothing else is in it. */
  private static final String MARKER = "rollscope.data";

  /** A folder that holds one of these is ours too: the marker may be lost in a copy. */
  private static final Set<String> OURS =
      Set.of(MARKER, "server.json", "server.log", "token", "journal", "segments");

  public DataFolder(Path path) {
    this.path = path.toAbsolutePath().normalize();
  }

  /** Where data is kept unless told otherwise. */
  public static DataFolder usual(Map<String, String> environment) {
    String set = environment.getOrDefault("ROLLSCOPE_DATA", "");
    return at(set.isBlank() ? "~/.rollscope" : set);
  }

  /** The folder the user gave, else the usual one. */
  public static DataFolder of(String given, Map<String, String> environment) {
    return given == null ? usual(environment) : at(given);
  }

  /** No shell has looked into variables and configuration files. */
  private static DataFolder at(String path) {
    String home = System.getProperty("user.home");
    return new DataFolder(Path.of(path.startsWith("~/") ? home + path.substring(1) : path));
  }

  public Path state() {
    return path.resolve("server.json");
  }

  public Path log() {
    return path.resolve("server.log");
  }

  /** Where a server keeps the token it wants to see. */
  public Path token() {
    return path.resolve("token");
  }

  /** Makes the folder, or makes sure that it is ours and can be written to. */
  public void prepare() throws IOException {
    try {
      PrivateFiles.createFolders(path);
    } catch (FileAlreadyExistsException e) {
      throw Failure.of("data folder", path + " is a file", "a folder");
    } catch (IOException e) {
      throw new Failure("data folder: " + path + " cannot be made (expected: a writable place)", e);
    }
    if (!Files.isWritable(path)) {
      throw Failure.of("data folder", path + " cannot be written to", "a folder you may write to");
    }
    List<String> names = names();
    if (!names.isEmpty() && names.stream().noneMatch(OURS::contains)) {
      throw Failure.of(
          "data folder",
          path + " holds other things (" + names.get(0) + ")",
          "a new or empty folder, or one of Rollscope's");
    }
    Path marker = path.resolve(MARKER);
    if (!Files.exists(marker)) {
      PrivateFiles.create(marker);
      Files.writeString(marker, "The data of a Rollscope server. See docs/storage.md.\n");
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> inside = Files.list(path)) {
      return inside.map(p -> p.getFileName().toString()).sorted().toList();
    }
  }
}
