package io.rollscope.store.hot;

import io.rollscope.core.view.LiveReport.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Function;

/**
 * The sessions that are shown: open ones first, most overdue on top; then the rest, newest news
 * first. Rows are made only of those, because there may be very many others.
 */
final class TopRows {
  /**
   * One that may be shown.
   *
   * @param first by what it stands before others: how overdue it is
   * @param then its age; of one that is not open its newest event
   * @param session null for one that left; then there is a row
   */
  private record Candidate(
      boolean open, double first, double then, String id, HotSession session, Row row) {}

  private static final Comparator<Candidate> ORDER =
      (a, b) -> compare(a.open, a.first, a.then, a.id, b);

  private final PriorityQueue<Candidate> most = new PriorityQueue<>(ORDER.reversed());
  private final int wanted;

  TopRows(int wanted) {
    this.wanted = wanted;
  }

  private static int compare(boolean open, double first, double then, String id, Candidate b) {
    if (open != b.open) {
      return open ? -1 : 1;
    }
    if (first != b.first) {
      return Double.compare(b.first, first);
    }
    return then != b.then ? Double.compare(b.then, then) : id.compareTo(b.id);
  }

  /** A session in which something is open. */
  void offerOpen(HotSession session, double age, Double usual) {
    offer(true, overdue(age, usual), age, session.key.id(), session, null);
  }

  /** A session in which nothing is open. */
  void offerIdle(HotSession session, double latest) {
    offer(false, 0, latest, session.key.id(), session, null);
  }

  /** A session that left. */
  void offer(Row row) {
    if (row.openAgeS() != null) {
      double overdue = overdue(row.openAgeS(), row.usualP95S());
      offer(true, overdue, row.openAgeS(), row.session(), null, row);
    } else {
      Double latest = row.latestTimestampS();
      offer(false, 0, latest == null ? 0 : latest, row.session(), null, row);
    }
  }

  private void offer(
      boolean open, double first, double then, String id, HotSession session, Row row) {
    boolean full = most.size() >= wanted;
    if (full && (wanted == 0 || compare(open, first, then, id, most.peek()) >= 0)) {
      return;
    }
    if (full) {
      most.poll();
    }
    most.add(new Candidate(open, first, then, id, session, row));
  }

  /** How many times its usual time something has been open; unknown ranks after all known. */
  static double overdue(double age, Double usual) {
    return usual == null ? -1 : usual == 0 ? Double.MAX_VALUE : age / usual;
  }

  /** The best, without so many at the beginning. */
  List<Row> rows(int offset, Function<HotSession, Row> maker) {
    List<Candidate> best = new ArrayList<>(most);
    best.sort(ORDER);
    return best.stream()
        .skip(offset)
        .map(c -> c.session == null ? c.row : maker.apply(c.session))
        .toList();
  }
}
