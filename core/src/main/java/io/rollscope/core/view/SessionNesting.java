package io.rollscope.core.view;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.pairing.Parents;
import io.rollscope.core.pairing.SessionSpans;
import java.util.Arrays;

/** Adds sessions of a table to a tree of what ran inside what; containers are looked through. */
final class SessionNesting {
  final Nesting nesting = new Nesting();
  private SessionSpans of;
  private Parents parents;
  private Nesting.Branch[] branches = new Nesting.Branch[64];

  void add(SessionSpans spans, Accounting accounting, long closesAt) {
    if (of != spans) {
      of = spans;
      parents = new Parents(spans);
    }
    parents.find();
    if (branches.length < spans.count()) {
      branches = new Nesting.Branch[Math.max(spans.count(), branches.length * 2)];
    }
    Arrays.fill(branches, 0, spans.count(), null);
    for (int i = 0; i < spans.count(); i++) {
      if (spans.isWork(i)) {
        branch(spans, i, 0).add(spans.end(i, closesAt) - spans.start(i), accounting.self(i));
      }
    }
  }

  /** Where the i-th span of the session added last lies. */
  Nesting.Branch branch(int i) {
    return branches[i];
  }

  /** Beyond a depth that only circles have, a span is inside nothing. */
  private Nesting.Branch branch(SessionSpans spans, int i, int depth) {
    if (branches[i] == null) {
      int up = depth < Nesting.MOST_DEEP ? parents.of(i) : -1;
      Nesting.Branch around = up < 0 ? nesting.root() : branch(spans, up, depth + 1);
      branches[i] = spans.isWork(i) ? nesting.inside(around, spans.stage(i)) : around;
    }
    return branches[i];
  }
}
