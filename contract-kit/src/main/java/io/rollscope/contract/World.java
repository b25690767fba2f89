package io.rollscope.contract;

import io.rollscope.otlp.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * What happened, as it was recorded: OTLP-JSON lines, or a folder of another format.
 *
 * @param name what is special about it
 * @param run the run that is asked about
 * @param lines export requests in the order of their sending; empty for a folder
 * @param folder traces of another format, or null
 */
public record World(String name, String run, List<String> lines, Path folder) {

  /** A folder written by a framework. */
  public static World ofFolder(String name, String run, Path folder) {
    return new World(name, run, List.of(), folder);
  }

  /** What a line is a request for. */
  public static Signal signalOf(String line) {
    return line.startsWith("{\"resourceSpans\"")
        ? Signal.TRACES
        : line.startsWith("{\"resourceMetrics\"") ? Signal.METRICS : Signal.LOGS;
  }

  /** Whether something was measured in it. */
  public boolean hasMetrics() {
    return lines.stream().anyMatch(line -> signalOf(line) == Signal.METRICS);
  }

  /** The lines in another order, some of them twice; the same for the same world. */
  public List<String> shuffled() {
    Random random = new Random(name.hashCode());
    List<String> others = new ArrayList<>(lines);
    for (String line : lines) {
      if (random.nextInt(4) == 0) {
        others.add(line);
      }
    }
    Collections.shuffle(others, random);
    return others;
  }

  /** Writes lines as a spool of one file, unless the world is a folder already. */
  public Path write(Path parent, List<String> order) throws IOException {
    if (folder != null) {
      return folder;
    }
    Path written = Files.createDirectories(parent.resolve(run.replace('/', '_')));
    Files.write(written.resolve("spool-000001.jsonl"), order);
    return written;
  }

  @Override
  public String toString() {
    return name;
  }
}
