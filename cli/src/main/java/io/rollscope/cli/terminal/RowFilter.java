package io.rollscope.cli.terminal;

import io.rollscope.core.view.LiveReport.Row;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Which sessions the screen shows, and in which order. */
final class RowFilter {
  private enum Order {
    OVERDUE,
    AGE,
    LAST_EVENT,
    SESSION
  }

  private enum Shown {
    ALL,
    OPEN,
    FAILED
  }

  private static final int ENTER = 13;
  private static final int NEWLINE = 10;
  private static final int ESCAPE = 27;
  private static final int BACKSPACE = 127;
  private static final int MAX_TEXT = 80;

  private Order order = Order.OVERDUE;
  private Shown shown = Shown.ALL;
  private final StringBuilder text = new StringBuilder();

  void nextOrder() {
    order = Order.values()[(order.ordinal() + 1) % Order.values().length];
  }

  void nextKind() {
    shown = Shown.values()[(shown.ordinal() + 1) % Shown.values().length];
  }

  void clear() {
    text.setLength(0);
  }

  /** Takes a key while the user types the text; whether typing goes on. */
  boolean type(int key) {
    switch (key) {
      case ENTER, NEWLINE -> {
        return false;
      }
      case ESCAPE -> {
        clear();
        return false;
      }
      case BACKSPACE, 8 -> text.setLength(Math.max(0, text.length() - 1));
      default -> {
        if (key >= ' ' && text.length() < MAX_TEXT) {
          text.appendCodePoint(key);
        }
      }
    }
    return true;
  }

  String order() {
    return order.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  String kind() {
    return shown.name().toLowerCase(Locale.ROOT);
  }

  String text() {
    return text.toString();
  }

  List<Row> apply(List<Row> rows) {
    Stream<Row> stream = rows.stream().filter(this::isShown);
    Comparator<Row> comparator =
        switch (order) {
          case OVERDUE -> null;
          case AGE -> Comparator.comparingDouble(r -> r.openAgeS() == null ? 1 : -r.openAgeS());
          case LAST_EVENT ->
              Comparator.comparingDouble(
                  r -> r.latestTimestampS() == null ? 0 : -r.latestTimestampS());
          case SESSION -> Comparator.comparing(Row::session);
        };
    return (comparator == null ? stream : stream.sorted(comparator)).toList();
  }

  private boolean isShown(Row row) {
    boolean kind =
        switch (shown) {
          case ALL -> true;
          case OPEN -> row.openSpan() != null;
          case FAILED -> row.status().equals("failed") || row.status().equals("lost");
        };
    return kind && (text.isEmpty() || matches(row, text.toString().toLowerCase(Locale.ROOT)));
  }

  private static boolean matches(Row row, String wanted) {
    return Stream.of(
            row.session(),
            row.stage(),
            row.latestStage(),
            row.status(),
            row.worker(),
            row.taskName())
        .anyMatch(field -> field != null && field.toLowerCase(Locale.ROOT).contains(wanted));
  }
}
