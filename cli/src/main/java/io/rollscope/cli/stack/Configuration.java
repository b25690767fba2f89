package io.rollscope.cli.stack;

import io.rollscope.cli.problem.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of {@code deploy/}, which come with the program, with their blanks filled in. */
public final class Configuration {
  private static final Pattern BLANK = Pattern.compile("\\$\\{([a-z.]+)}");

  /** Dashboards, which are written as they are. */
  static final List<String> DASHBOARDS =
      List.of("training.json", "rollout.json", "engines.json", "health.json");

  private final Map<String, String> values;

  /**
   * @param values by the name of the blank
   */
  public Configuration(Map<String, String> values) {
    this.values = values;
  }

  /** Writes a template, filled in. */
  void write(String template, Path file) throws IOException {
    write(List.of(template), file);
  }

  /** Writes templates one after the other into one file. */
  void write(List<String> templates, Path file) throws IOException {
    StringBuilder all = new StringBuilder();
    for (String template : templates) {
      all.append(all.isEmpty() ? "" : "\n").append(filled(template));
    }
    Files.createDirectories(file.getParent());
    Files.writeString(file, all);
  }

  static void copy(String name, Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text(name));
  }

  /** The template's text with all blanks filled in. */
  public String filled(String template) throws IOException {
    return fill(text(template));
  }

  private String fill(String text) {
    return BLANK
        .matcher(text)
        .replaceAll(
            blank -> {
              String value = values.get(blank.group(1));
              if (value == null) {
                throw new IllegalStateException("no value for " + blank.group());
              }
              return Matcher.quoteReplacement(value);
            });
  }

  private static String text(String name) throws IOException {
    try (InputStream in = Configuration.class.getResourceAsStream("/deploy/" + name)) {
      if (in == null) {
        throw Failure.of("deploy/" + name, "not in the program", "a whole installation");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
