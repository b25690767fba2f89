package io.rollscope.formats.folder;

import java.nio.file.Path;
import java.util.Set;

/** Names of runs told from where a file lies. */
public final class RunNames {
  private static final Set<String> PLAIN =
      Set.of("producer_trace", "perf_tracer", "session_tracer", "request_tracer", "traces");

  private RunNames() {}

  /** Name of the file's folder; of the one above if the folder only says what kind it holds. */
  public static String ofFolder(Path file) {
    Path folder = file.toAbsolutePath().normalize().getParent();
    while (folder != null && folder.getFileName() != null) {
      String name = folder.getFileName().toString();
      if (!PLAIN.contains(name)) {
        return name;
      }
      folder = folder.getParent();
    }
    return "run";
  }

  /** AReaL: {@code experiment/trial} if the file lies below a tracer's folder of a trial. */
  public static String ofTrial(Path file) {
    Path folder = file.toAbsolutePath().normalize().getParent();
    for (int up = 0; up < 2 && folder != null && folder.getFileName() != null; up++) {
      boolean tracer = PLAIN.contains(folder.getFileName().toString());
      Path trial = folder.getParent();
      if (tracer && trial != null && trial.getFileName() != null) {
        Path experiment = trial.getParent();
        boolean named = experiment != null && experiment.getFileName() != null;
        return named ? experiment.getFileName() + "/" + trial.getFileName() : ofFolder(file);
      }
      folder = trial;
    }
    return ofFolder(file);
  }
}
