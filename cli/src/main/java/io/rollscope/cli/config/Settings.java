package io.rollscope.cli.config;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Options of the server from all places. The command line beats the environment ({@code
 * ROLLSCOPE_OTLP_HTTP_PORT}), that beats the configuration file, that beats the default.
 */
public final class Settings {
  private static final String CONFIG = "config";

  private final Map<String, List<String>> flags;
  private final Map<String, String> environment;
  private final Set<String> lists;
  private final ConfigFile config;

  private Settings(
      Map<String, List<String>> flags,
      Map<String, String> environment,
      Set<String> lists,
      ConfigFile config) {
    this.flags = flags;
    this.environment = environment;
    this.lists = lists;
    this.config = config;
  }

  /**
   * Gathers what was said; reads the configuration file if one is named.
   *
   * @param flags values on the command line by long name, without dashes
   * @param known long names of all options that a configuration file may set
   * @param lists those that may have several values, separated by commas in the environment
   */
  public static Settings gather(
      Map<String, List<String>> flags,
      Map<String, String> environment,
      Set<String> known,
      Set<String> lists)
      throws IOException {
    Settings without = new Settings(flags, environment, lists, ConfigFile.none());
    Setting file = without.find(CONFIG);
    return file == null
        ? without
        : new Settings(flags, environment, lists, ConfigFile.read(Path.of(file.text()), known));
  }

  /** What holds for an option, or null when nobody said anything. */
  public Setting find(String name) {
    List<String> flag = flags.get(name);
    if (flag != null && !flag.isEmpty()) {
      return new Setting("--" + name, true, flag);
    }
    String variable = "ROLLSCOPE_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    String set = environment.get(variable);
    if (set != null && !set.isBlank()) {
      return new Setting(variable, false, lists.contains(name) ? parts(set) : List.of(set));
    }
    return config.find(name);
  }

  private static List<String> parts(String commaSeparated) {
    return Arrays.stream(commaSeparated.split(","))
        .map(String::strip)
        .filter(s -> !s.isEmpty())
        .toList();
  }
}
