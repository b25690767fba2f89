package io.rollscope.cli.stack;

import io.rollscope.cli.problem.Failure;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Where the programs of the stack are on this machine. */
public final class Programs {
  private final Map<Part, String> given;
  private final String path;

  /**
   * @param given paths the user gave
   * @param environment of which {@code PATH} is searched
   */
  public Programs(Map<Part, String> given, Map<String, String> environment) {
    this.given = new EnumMap<>(Part.class);
    this.given.putAll(given);
    this.path = environment.getOrDefault("PATH", "");
  }

  /** The program of a part: the given one, else the first on the path. */
  public Optional<Path> find(Part part) {
    String said = given.get(part);
    if (said != null) {
      Path program = Path.of(said);
      if (!Files.isExecutable(program) || Files.isDirectory(program)) {
        throw Failure.of("--" + part.word(), said, "a program that can be run");
      }
      return Optional.of(program.toAbsolutePath());
    }
    return part.programs().stream()
        .map(name -> onPath(name, path))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** The program of a part that was asked for by name. */
  Path need(Part part) {
    return find(part)
        .orElseThrow(
            () ->
                Failure.of(
                    part.word(),
                    "not found on the PATH",
                    "an installed one; --" + part.word() + " FILE says where"));
  }

  static Optional<Path> onPath(String name, String path) {
    for (String folder : path.split(File.pathSeparator, -1)) {
      Path program = Path.of(folder.isEmpty() ? "." : folder, name);
      if (Files.isExecutable(program) && !Files.isDirectory(program)) {
        return Optional.of(program.toAbsolutePath());
      }
    }
    return Optional.empty();
  }
}
