package io.rollscope.core.view;

import io.rollscope.core.accounting.Pieces;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What a session was doing from when to when: the pieces of its accounting, in order. */
final class SessionSegments implements Pieces {
  private static final int MOST = 10_000;

  private record Piece(String what, long from, long to) {}

  private final SessionSpans spans;
  private final List<Piece> pieces = new ArrayList<>();

  SessionSegments(SessionSpans spans) {
    this.spans = spans;
  }

  @Override
  public void piece(int leaf, long from, long to) {
    String what = leaf < 0 ? Pieces.word(leaf) : spans.stage(leaf);
    pieces.add(new Piece(what, from, to));
  }

  /** Start, end, and the stage or wait; neighbours of one kind are one. */
  List<List<Object>> list() {
    pieces.sort(Comparator.comparingLong(Piece::from));
    List<Piece> joined = new ArrayList<>();
    for (Piece piece : pieces) {
      Piece last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
      if (last != null && last.to() == piece.from() && last.what().equals(piece.what())) {
        joined.set(joined.size() - 1, new Piece(last.what(), last.from(), piece.to()));
      } else if (joined.size() < MOST) {
        joined.add(piece);
      } else {
        break;
      }
    }
    return joined.stream()
        .map(p -> List.<Object>of(Nanos.toSeconds(p.from()), Nanos.toSeconds(p.to()), p.what()))
        .toList();
  }
}
