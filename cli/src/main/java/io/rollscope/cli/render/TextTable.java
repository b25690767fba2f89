package io.rollscope.cli.render;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A table that fits the terminal: numbers to the right, texts to the left, and where the room does
 * not suffice the texts that may shrink lose their middle; then columns go, the last first.
 */
public final class TextTable {
  private static final String GAP = "  ";
  private static final int LEAST_TEXT = 16;

  private record Column(String title, boolean right, boolean shrinks, boolean prose) {}

  /** A cell; the style is laid on after the text has been cut to size. */
  public record Cell(String text, UnaryOperator<String> style) {}

  private final List<Column> columns = new ArrayList<>();
  private final List<List<Cell>> rows = new ArrayList<>();

  /** A column of texts that may be cut. */
  public TextTable text(String title) {
    columns.add(new Column(title, false, true, false));
    return this;
  }

  /** A column of errors and reasons, which are cut in a pipe, too. */
  public TextTable prose(String title) {
    columns.add(new Column(title, false, true, true));
    return this;
  }

  /** A column of short words. */
  public TextTable word(String title) {
    columns.add(new Column(title, false, false, false));
    return this;
  }

  /** A column of numbers. */
  public TextTable number(String title) {
    columns.add(new Column(title, true, false, false));
    return this;
  }

  /** Adds a row: a Cell, or anything else as plain text; null is shown as a dash. */
  public void row(Object... cells) {
    List<Cell> row = new ArrayList<>();
    for (Object cell : cells) {
      if (cell instanceof Cell styled) {
        row.add(new Cell(Console.clean(styled.text()), styled.style()));
      } else {
        String text = cell == null ? "-" : cell.toString();
        boolean prose = columns.get(row.size()).prose();
        text = prose ? Console.prose(text) : Console.clean(text);
        row.add(new Cell(text, UnaryOperator.identity()));
      }
    }
    rows.add(row);
  }

  /** A cell with a style. */
  public static Cell styled(String text, UnaryOperator<String> style) {
    return new Cell(text == null ? "-" : text, style);
  }

  /** The lines, header first, none wider than {@code width}. */
  public List<String> lines(int width, Style style) {
    int[] widths = fit(width);
    List<String> lines = new ArrayList<>();
    List<Cell> header = new ArrayList<>();
    columns.forEach(c -> header.add(new Cell(c.title(), style::bold)));
    lines.add(line(header, widths));
    rows.forEach(row -> lines.add(line(row, widths)));
    return lines;
  }

  /** How many columns there is no room for. */
  public int dropped(int width) {
    return (int) Arrays.stream(fit(width)).filter(w -> w == 0).count();
  }

  private int[] fit(int width) {
    int[] widths = new int[columns.size()];
    for (int c = 0; c < widths.length; c++) {
      widths[c] = columns.get(c).title().length();
      for (List<Cell> row : rows) {
        widths[c] = Math.max(widths[c], columnsOf(row.get(c).text()));
      }
    }
    for (int over = total(widths) - width; over > 0; over = total(widths) - width) {
      int widest = widestShrinking(widths);
      if (widest < 0) {
        if (!dropLast(widths)) {
          break;
        }
      } else {
        widths[widest] = Math.max(LEAST_TEXT, widths[widest] - Math.max(1, over / 2));
      }
    }
    return widths;
  }

  private int widestShrinking(int[] widths) {
    int widest = -1;
    for (int c = 0; c < widths.length; c++) {
      boolean can = columns.get(c).shrinks() && widths[c] > LEAST_TEXT;
      if (can && (widest < 0 || widths[c] > widths[widest])) {
        widest = c;
      }
    }
    return widest;
  }

  private static boolean dropLast(int[] widths) {
    for (int c = widths.length - 1; c > 0; c--) {
      if (widths[c] > 0) {
        widths[c] = 0;
        return true;
      }
    }
    return false;
  }

  private static int total(int[] widths) {
    int sum = -GAP.length();
    for (int w : widths) {
      sum += w == 0 ? 0 : w + GAP.length();
    }
    return sum;
  }

  private String line(List<Cell> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int c = 0; c < widths.length; c++) {
      if (widths[c] == 0) {
        continue;
      }
      if (!line.isEmpty()) {
        line.append(GAP);
      }
      Cell cell = row.get(c);
      String text = cut(cell.text(), widths[c]);
      String padding = " ".repeat(widths[c] - columnsOf(text));
      String styled = cell.style().apply(text);
      line.append(columns.get(c).right() ? padding + styled : styled + padding);
    }
    return line.toString().stripTrailing();
  }

  /** Cuts out the middle: beginnings and ends of ids both tell something. */
  static String cut(String text, int width) {
    if (columnsOf(text) <= width) {
      return text;
    }
    int[] points = text.codePoints().toArray();
    int keepEnd = width / 3;
    int from = points.length;
    int used = 0;
    while (from > 0 && used + columnsOf(points[from - 1]) <= keepEnd) {
      used += columnsOf(points[--from]);
    }
    int to = 0;
    int room = width - used - 1;
    used = 0;
    while (to < from && used + columnsOf(points[to]) <= room) {
      used += columnsOf(points[to++]);
    }
    return new String(points, 0, to) + "…" + new String(points, from, points.length - from);
  }

  private static int columnsOf(String text) {
    return text.codePoints().map(TextTable::columnsOf).sum();
  }

  /** Columns a character takes: East Asian wide ones two, combining marks none. */
  private static int columnsOf(int c) {
    return org.jline.utils.WCWidth.wcwidth(c) < 0 ? 1 : org.jline.utils.WCWidth.wcwidth(c);
  }
}
