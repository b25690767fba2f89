package io.rollscope.sdk.internal.viewer;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The {@code rollscope} command. */
record Launcher(String path, Map<String, String> variables) {
  /** Mean this process; to a server they are nothing, or something else. */
  private static final Set<String> OURS =
      Set.of(
          "ROLLSCOPE_URL",
          "ROLLSCOPE_RUN",
          "ROLLSCOPE_RUN_ID",
          "ROLLSCOPE_PROJECT",
          "ROLLSCOPE_ENABLED",
          "ROLLSCOPE_SPOOL",
          "ROLLSCOPE_VIEWER",
          "ROLLSCOPE_ROLE",
          "ROLLSCOPE_RANK",
          "ROLLSCOPE_TOKEN");

  static Launcher find(String home, Map<String, String> variables) throws ViewerException {
    String folders = home != null ? home : variables.getOrDefault("PATH", "");
    for (String folder : home != null ? new String[] {home} : folders.split(File.pathSeparator)) {
      try {
        Path candidate = Path.of(folder).resolve("rollscope");
        if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
          return new Launcher(candidate.toAbsolutePath().toString(), variables);
        }
      } catch (InvalidPathException e) {
        // Not a folder of this platform; the others may be.
      }
    }
    throw new ViewerException(
        "rollscope: not found in "
            + (home != null ? home : "the PATH")
            + " (expected: on the PATH or in ROLLSCOPE_HOME)");
  }

  /** Adds an option that the user has not chosen by a variable. */
  void unlessSet(String variable, String option, int value, List<String> command) {
    if (!variables.containsKey(variable)) {
      command.add(option);
      command.add(Integer.toString(value));
    }
  }

  /** Puts the variables of a child process right. */
  void setUp(ProcessBuilder child, String token) {
    Map<String, String> environment = child.environment();
    environment.clear();
    environment.putAll(variables);
    environment.keySet().removeAll(OURS);
    if (token != null) {
      environment.put("ROLLSCOPE_TOKEN", token);
    }
  }
}
