package io.rollscope.cli.process;

import java.nio.file.Path;
import java.util.List;

/** How to start this program once more. */
public final class Launcher {
  private Launcher() {}

  /** The command, to be followed by arguments. */
  public static List<String> command() {
    String script = System.getenv("ROLLSCOPE_LAUNCHER");
    if (script != null) {
      return List.of(script);
    }
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        "io.rollscope.cli.Rollscope");
  }
}
