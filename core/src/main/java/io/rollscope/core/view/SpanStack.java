package io.rollscope.core.view;

import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the work of a span stood when its process recorded its stack (contracts.md 3.20).
 *
 * @param summary in which call of which library, and where in the user's code; null if no frame can
 *     be read
 * @param atS when it was recorded, or null
 * @param frames {@code function file:line}, innermost first
 */
public record SpanStack(String summary, Double atS, List<String> frames) {
  /** Attributes of a span that hold its stack: frames, one per line, and nanoseconds. */
  public static final String FRAMES = "rollscope.stack.frames";

  public static final String AT = "rollscope.stack.at";

  private static final int MOST_FRAMES = 64;
  private static final int MOST_CHARACTERS = 8 << 10;

  private static final Pattern FRAME = Pattern.compile("(\\S+) (.+):(\\d{1,9})");

  /** Where modules begin in the path of a file that is not the user's own. */
  private static final Pattern LIBRARY =
      Pattern.compile(
          "/(?:(?:site|dist)-packages|lib(?:64)?/python\\d[\\d.]*t?|Python\\d+/Lib)(?=/)");

  private static final Pattern JAVA_LIBRARY = Pattern.compile("(?:java|javax|jdk|sun)\\..*");

  /** In names of Python's inner functions, behind those of the functions around them. */
  private static final String LOCALS = "<locals>.";

  /** One frame. The module is null in the user's own code. */
  private record Frame(String function, String module, String file, String line) {
    String call() {
      return module == null || module.isEmpty() ? function : module + "." + function;
    }

    String place() {
      return file + ":" + line;
    }
  }

  /** Whether a record of a stack has no more and no longer frames than are kept. */
  public static boolean isWithinLimits(String frames) {
    return !frames.isBlank()
        && frames.length() <= MOST_CHARACTERS
        && frames.lines().limit(MOST_FRAMES + 1L).count() <= MOST_FRAMES;
  }

  /** Whether an attribute of this name is part of a stack. */
  public static boolean isPart(String attribute) {
    return attribute.equals(FRAMES) || attribute.equals(AT);
  }

  /** The stack that a span's attributes hold, or null. */
  static SpanStack of(Map<String, String> attributes) {
    String frames = attributes.get(FRAMES);
    return frames == null || frames.isBlank() ? null : of(frames, attributes.get(AT));
  }

  /** The stack in these texts, within limits whoever wrote them. */
  public static SpanStack of(String frames, String atNs) {
    String bounded = frames.substring(0, Math.min(frames.length(), MOST_CHARACTERS));
    List<String> lines =
        bounded
            .lines()
            .filter(line -> !line.isBlank())
            .limit(MOST_FRAMES)
            .map(SpanStack::visible)
            .toList();
    return new SpanStack(summary(lines), seconds(atNs), lines);
  }

  int length() {
    return frames.stream().mapToInt(String::length).sum();
  }

  private static String visible(String line) {
    StringBuilder clean = new StringBuilder(line.length());
    line.codePoints()
        .map(
            c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? 0xFFFD : c)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }

  private static Double seconds(String ns) {
    try {
      return ns == null ? null : (Double) Nanos.toSeconds(Long.parseLong(ns));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /**
   * The user's innermost frame, with the library call that it waits in: the one it made, and the
   * one that this ended up in.
   */
  static String summary(List<String> lines) {
    List<Frame> frames = new ArrayList<>();
    lines.forEach(line -> addFrame(line, frames));
    if (frames.isEmpty()) {
      return null;
    }
    Frame innermost = frames.get(0);
    int own = 0;
    while (own < frames.size() && frames.get(own).module() != null) {
      own++;
    }
    if (own == 0) {
      return "in " + innermost.call() + ", " + innermost.place();
    }
    if (own == frames.size()) {
      return "waiting in " + innermost.call() + ", " + innermost.place();
    }
    String called = frames.get(own - 1).call();
    String inside = innermost.call();
    return "waiting in "
        + (called.equals(inside) ? called : called + " → " + inside)
        + ", "
        + frames.get(own).place();
  }

  private static void addFrame(String line, List<Frame> frames) {
    Matcher frame = FRAME.matcher(line);
    if (frame.matches()) {
      String function = frame.group(1);
      String path = frame.group(2).replace('\\', '/');
      String name = after(LOCALS, function);
      frames.add(new Frame(name, module(function, path), after("/", path), frame.group(3)));
    }
  }

  private static String after(String mark, String text) {
    int at = text.lastIndexOf(mark);
    return at < 0 ? text : text.substring(at + mark.length());
  }

  /** The package that a file is of, empty if the function says it; null for the user's own code. */
  private static String module(String function, String path) {
    if (JAVA_LIBRARY.matcher(function).matches()) {
      return "";
    }
    if (path.startsWith("<frozen ")) {
      return path.substring("<frozen ".length()).replace(">", "");
    }
    Matcher library = LIBRARY.matcher(path);
    int from = -1;
    while (library.find()) {
      from = library.end() + 1;
    }
    if (from < 0) {
      return null;
    }
    String inside = path.substring(from);
    int slash = inside.indexOf('/');
    return slash >= 0 ? inside.substring(0, slash) : inside.replaceFirst("\\.\\w+$", "");
  }
}
