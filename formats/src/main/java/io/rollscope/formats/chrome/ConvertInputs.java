package io.rollscope.formats.chrome;

import io.rollscope.formats.areal.ArealPerfFormat;
import io.rollscope.formats.folder.FolderReader;
import io.rollscope.formats.folder.Formats;
import io.rollscope.formats.folder.SourcePath;
import io.rollscope.formats.folder.TraceFormat;
import io.rollscope.formats.scan.Skipped;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a user wants converted: files, folders and globs, sorted out by what is in the files.
 *
 * @param perf perf traces, for {@link PerfConverter}
 * @param others traces of other formats
 * @param unrecognised files in a folder that are no traces; files named by the user never are
 * @param defaultOutput where the result goes unless the user says otherwise
 */
public record ConvertInputs(
    List<Path> perf, List<Path> others, List<Path> unrecognised, Path defaultOutput) {
  private static final String FOLDER_RESULT = "traces.json";

  /** All files that must not be overwritten. */
  public List<Path> all() {
    List<Path> all = new ArrayList<>(perf);
    all.addAll(others);
    all.addAll(unrecognised);
    return all;
  }

  /**
   * Finds the files.
   *
   * @param arguments paths and globs; all of them are inputs, also when a shell made them of a glob
   * @param skipped what could not be looked into is added here
   * @throws FileNotFoundException if an argument stands for nothing
   */
  public static ConvertInputs resolve(List<String> arguments, Skipped skipped) throws IOException {
    if (arguments.isEmpty()) {
      throw new IllegalArgumentException("input: none (expected: a file, a folder or a glob)");
    }
    Set<Path> perf = new LinkedHashSet<>();
    Set<Path> others = new LinkedHashSet<>();
    Set<Path> unrecognised = new LinkedHashSet<>();
    for (String argument : arguments) {
      boolean folder = Files.isDirectory(Path.of(argument));
      for (Path file : files(argument, skipped)) {
        TraceFormat format;
        try {
          format = Formats.recognise(file, true);
        } catch (IOException e) {
          skipped.add(file.toString(), 0, FolderReader.reason(e));
          continue;
        }
        if (format == null) {
          // Named by the user, it is converted as far as possible and its bad lines are reported.
          (folder ? unrecognised : perf).add(file.normalize());
        } else {
          (format instanceof ArealPerfFormat ? perf : others).add(file.normalize());
        }
      }
    }
    Set<Path> used = new LinkedHashSet<>(perf);
    used.addAll(others);
    used.addAll(unrecognised);
    if (used.isEmpty()) {
      throw new FileNotFoundException(
          "input: " + String.join(" ", arguments) + " (expected: files that can be read)");
    }
    return new ConvertInputs(
        List.copyOf(perf),
        List.copyOf(others),
        List.copyOf(unrecognised),
        defaultOutput(arguments, used));
  }

  private static List<Path> files(String argument, Skipped skipped) throws IOException {
    SourcePath source = new SourcePath(argument);
    if (source.isFile()) {
      return List.of(Path.of(argument));
    }
    List<Path> files = source.files(skipped);
    if (files.isEmpty()) {
      throw new FileNotFoundException(
          "input: " + argument + " (expected: a file, a folder with *.jsonl or a glob that fits)");
    }
    return files;
  }

  /** A folder's result goes into it, a file's beside it, that of several where they meet. */
  private static Path defaultOutput(List<String> arguments, Collection<Path> files) {
    if (arguments.size() == 1 && Files.isDirectory(Path.of(arguments.get(0)))) {
      return Path.of(arguments.get(0)).resolve(FOLDER_RESULT);
    }
    if (files.size() == 1) {
      Path file = files.iterator().next();
      String name = file.getFileName().toString();
      int dot = name.lastIndexOf('.');
      return file.resolveSibling((dot > 0 ? name.substring(0, dot) : name) + ".json");
    }
    Path common = null;
    for (Path file : files) {
      Path folder = file.toAbsolutePath().getParent();
      common = common == null ? folder : meetingPoint(common, folder);
    }
    return common.resolve(FOLDER_RESULT);
  }

  private static Path meetingPoint(Path a, Path b) {
    Path common = a;
    while (!b.startsWith(common)) {
      common = common.getParent();
    }
    return common;
  }
}
