package io.rollscope.core.view;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.time.NanoSum;
import io.rollscope.core.view.HotspotsReport.Waits;

/** The waits of many sessions, exactly. */
final class WaitTotals {
  private final NanoSum wall = new NanoSum();
  private final NanoSum queue = new NanoSum();
  private final NanoSum gap = new NanoSum();
  private final NanoSum siblings = new NanoSum();
  private final NanoSum barrier = new NanoSum();
  private final NanoSum unaccounted = new NanoSum();
  private final NanoSum outside = new NanoSum();

  /** Adds one session; what of it was a wait for siblings is not known yet. */
  void add(Accounting session) {
    wall.add(session.wall());
    queue.add(session.queue());
    gap.add(session.gap());
    barrier.add(session.barrier());
    unaccounted.add(session.unaccounted());
    outside.add(session.outside());
  }

  void addSiblings(long nanos) {
    siblings.add(nanos);
  }

  void addAll(WaitTotals other) {
    wall.add(other.wall);
    queue.add(other.queue);
    gap.add(other.gap);
    siblings.add(other.siblings);
    barrier.add(other.barrier);
    unaccounted.add(other.unaccounted);
    outside.add(other.outside);
  }

  /** Wall time of all sessions. */
  NanoSum wall() {
    return wall;
  }

  /** What shares are parts of: all time but the wait for the verdict (contracts.md 5.14). */
  double sharedSeconds() {
    NanoSum shared = new NanoSum();
    shared.add(wall);
    shared.subtract(barrier);
    return shared.seconds();
  }

  Waits waits() {
    return new Waits(
        queue.seconds(),
        gap.seconds(),
        siblings.seconds(),
        barrier.seconds(),
        unaccounted.seconds(),
        outside.seconds());
  }
}
