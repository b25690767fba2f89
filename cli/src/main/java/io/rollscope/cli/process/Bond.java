package io.rollscope.cli.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Whether a process lives on when the one that started it is gone. */
public enum Bond {
  /** A session of its own: a closed terminal or its Ctrl+C is none of its business. */
  OUTLIVES("setsid"),
  /** Ended by the system when this process ends, even if that is killed. */
  ENDS_WITH_US("setpriv", "--pdeathsig", "TERM");

  private final String tool;
  private final String arguments;

  Bond(String tool, String... arguments) {
    this.tool = tool;
    this.arguments = String.join(" ", arguments);
  }

  /** What to put in front of a command; nothing where the tool is missing. */
  public List<String> wrapper() {
    for (String folder : new String[] {"/usr/bin", "/bin"}) {
      Path program = Path.of(folder, tool);
      if (Files.isExecutable(program)) {
        List<String> wrapper = new ArrayList<>(List.of(program.toString()));
        wrapper.addAll(arguments.isEmpty() ? List.of() : List.of(arguments.split(" ")));
        return wrapper;
      }
    }
    return List.of();
  }
}
