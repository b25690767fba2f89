package io.rollscope.server.scrape.book;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * The operator's file of targets in the form of Prometheus' {@code file_sd}, JSON or YAML, read
 * again when it changes. While it is wrong, what it last said holds.
 */
public final class TargetsFile {
  private static final long MAX_BYTES = 4 << 20;
  private static final String EXPECTED =
      "a list such as [{\"targets\":[\"host:8000\"],\"labels\":{\"job\":\"vllm\"}}]";

  private final Path file;
  private List<Target> targets = List.of();
  private String problem;
  private Object seen;

  public TargetsFile(Path file) {
    this.file = file;
  }

  /** What tells one state of a file from the next. */
  private record Version(Object modified, long size, Object key) {}

  /** Looks whether the file has changed. Returns whether there is something new to know. */
  public synchronized boolean look() {
    Object now;
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      now = new Version(found.lastModifiedTime(), found.size(), found.fileKey());
    } catch (IOException e) {
      now = "missing";
    }
    if (now.equals(seen)) {
      return false;
    }
    seen = now;
    List<Target> targetsBefore = targets;
    String problemBefore = problem;
    try {
      targets = read();
      problem = null;
    } catch (IOException e) {
      problem = file + ": cannot be read (expected: a readable targets file)";
    } catch (TargetException e) {
      problem = file + ": " + e.getMessage();
    }
    return !targets.equals(targetsBefore) || !Objects.equals(problem, problemBefore);
  }

  /** What the file said when it was last right. */
  public synchronized List<Target> targets() {
    return targets;
  }

  /** What is wrong with the file now, or null. */
  public synchronized String problem() {
    return problem;
  }

  private List<Target> read() throws IOException, TargetException {
    if (Files.size(file) > MAX_BYTES) {
      throw TargetException.wrong("size", Files.size(file), "at most " + MAX_BYTES + " bytes");
    }
    Object root = parse(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    if (root == null) {
      return List.of();
    }
    if (!(root instanceof List<?> groups)) {
      throw TargetException.wrong("targets", "no list", EXPECTED);
    }
    Map<String, Target> found = new TreeMap<>();
    int number = 0;
    for (Object group : groups) {
      number++;
      for (Target target : group(number, group)) {
        found.put(target.job() + "\0" + target.address(), target);
      }
    }
    if (found.size() > TargetBook.MOST_TARGETS) {
      throw TargetException.wrong("targets", found.size(), "at most " + TargetBook.MOST_TARGETS);
    }
    return List.copyOf(found.values());
  }

  private static Object parse(String text) throws TargetException {
    try {
      return new Load(LoadSettings.builder().build()).loadFromString(text);
    } catch (MarkedYamlEngineException e) {
      String line = e.getProblemMark().map(m -> "line " + (m.getLine() + 1)).orElse("text");
      throw TargetException.wrong(line, e.getProblem(), "JSON or YAML");
    } catch (YamlEngineException e) {
      throw TargetException.wrong("text", e.getMessage(), "JSON or YAML");
    }
  }

  private static List<Target> group(int number, Object group) throws TargetException {
    if (!(group instanceof Map<?, ?> map) || !(map.get("targets") instanceof List<?> addresses)) {
      throw TargetException.wrong("group " + number, "no targets", EXPECTED);
    }
    Map<String, String> labels = new TreeMap<>();
    if (map.get("labels") instanceof Map<?, ?> given) {
      given.forEach((name, value) -> labels.put(String.valueOf(name), String.valueOf(value)));
    }
    try {
      List<Target> targets = new ArrayList<>();
      for (Object address : addresses) {
        targets.add(target(String.valueOf(address), new TreeMap<>(labels)));
      }
      return targets;
    } catch (TargetException e) {
      throw TargetException.wrong("group " + number, e.getMessage(), "targets that can be scraped");
    }
  }

  /** What Prometheus says by labels that begin with {@code __}, the operator may say likewise. */
  private static Target target(String address, Map<String, String> labels) throws TargetException {
    String job = first(labels.remove("job"), labels.remove("rl_insight_job"));
    Duration interval = Durations.parse(labels.remove("__scrape_interval__"));
    Duration timeout = Durations.parse(labels.remove("__scrape_timeout__"));
    String scheme = first(labels.remove("__scheme__"), "http");
    String path = first(labels.remove("__metrics_path__"), "");
    boolean plain = scheme.equals("http") && path.isEmpty() || address.contains("://");
    Duration checked = TargetRules.interval(Durations.seconds(interval));
    return new Target(
        TargetAddress.parse(plain ? address : scheme + "://" + address + slashed(path)),
        TargetRules.job(job, TargetRules.DEFAULT_JOB),
        TargetRules.labels(labels),
        null,
        checked,
        TargetRules.timeout(Durations.seconds(timeout), checked),
        Target.Source.FILE,
        null,
        0);
  }

  private static String slashed(String path) {
    return path.isEmpty() || path.startsWith("/") ? path : "/" + path;
  }

  private static String first(String one, String other) {
    return one == null ? other : one;
  }
}
