package io.rollscope.cli.config;

import io.rollscope.cli.problem.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** A configuration file: flat YAML whose keys are the long names of options. */
public final class ConfigFile {
  private final String name;
  private final Map<String, List<String>> values;

  private ConfigFile(String name, Map<String, List<String>> values) {
    this.name = name;
    this.values = values;
  }

  /** No file, nothing set. */
  static ConfigFile none() {
    return new ConfigFile("", Map.of());
  }

  /**
   * Reads a file and refuses what is no option.
   *
   * @param known names of the options, without dashes
   */
  public static ConfigFile read(Path file, Set<String> known) throws IOException {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new Failure("--config: " + file + " (expected: a readable YAML file)", e);
    }
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (Map.Entry<?, ?> entry : parse(file, text).entrySet()) {
      String key = String.valueOf(entry.getKey());
      if (!known.contains(key)) {
        throw Failure.of(file.toString(), "unknown key " + key, String.join(", ", known));
      }
      values.put(key, texts(file, key, entry.getValue()));
    }
    return new ConfigFile(file.toString(), values);
  }

  private static Map<?, ?> parse(Path file, String text) {
    LoadSettings settings = LoadSettings.builder().setLabel(file.toString()).build();
    try {
      Object root = new Load(settings).loadFromString(text);
      if (root == null) {
        return Map.of();
      }
      if (root instanceof Map<?, ?> map) {
        return map;
      }
      throw Failure.of(file.toString(), "a " + kind(root), "lines such as port: 18080");
    } catch (MarkedYamlEngineException e) {
      String line = e.getProblemMark().map(m -> ":" + (m.getLine() + 1)).orElse("");
      throw new Failure(file + line + ": " + e.getProblem() + " (expected: YAML)", e);
    } catch (YamlEngineException e) {
      throw new Failure(file + ": " + e.getMessage() + " (expected: YAML)", e);
    }
  }

  private static String kind(Object root) {
    return root instanceof Collection<?> ? "list" : "single value";
  }

  private static List<String> texts(Path file, String key, Object value) {
    Collection<?> all = value instanceof Collection<?> list ? list : List.of(orEmpty(value));
    for (Object one : all) {
      if (one == null || one instanceof Map<?, ?> || one instanceof Collection<?>) {
        throw Failure.of(file + ": " + key, value, "a value, or a list of values");
      }
    }
    return all.stream().map(Object::toString).toList();
  }

  private static Object orEmpty(Object value) {
    return value == null ? "" : value;
  }

  /** What the file says of an option, or null. */
  Setting find(String key) {
    List<String> said = values.get(key);
    return said == null ? null : new Setting(name + ": " + key, false, said);
  }
}
