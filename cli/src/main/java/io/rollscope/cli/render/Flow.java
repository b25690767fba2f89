package io.rollscope.cli.render;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Text made of parts that begins a new line where the next part would not fit. */
final class Flow {
  private static final Pattern STYLE = Pattern.compile("\u001b\\[[0-9;]*m");
  private static final String INDENT = "  ";

  private Flow() {}

  /** The parts on as few lines as fit {@code width}; further lines are indented. */
  static List<String> lines(List<String> parts, String separator, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String part : parts) {
      boolean fits = columns(line) + separator.length() + columns(part) <= width;
      if (line.isEmpty()) {
        line.append(part);
      } else if (fits) {
        line.append(separator).append(part);
      } else {
        lines.add(line.toString());
        line.setLength(0);
        line.append(INDENT).append(part);
      }
    }
    lines.add(line.toString());
    return lines;
  }

  private static int columns(CharSequence styled) {
    return STYLE.matcher(styled).replaceAll("").length();
  }
}
