package io.rollscope.core.view;

import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.BatchesReport.Straggler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The sessions a batch waited for: by when each was done by itself, then by its own time; of each
 * group one, for the others only waited for it (contracts.md 5.12).
 */
public final class Stragglers {
  private static final int MOST = 3;
  private static final Comparator<Slow> SLOWEST =
      Comparator.comparingLong(Slow::ownEndNs)
          .thenComparingLong(Slow::ownNs)
          .reversed()
          .thenComparing(Slow::session);

  /**
   * One session.
   *
   * @param group what its siblings have too, or null
   * @param ownEndNs when it was done by itself
   * @param ownNs its wall time without queue, siblings and barrier
   * @param longestIn the stage it spent most of that in, or null
   */
  public record Slow(
      Object group,
      String session,
      String status,
      String worker,
      long ownEndNs,
      long ownNs,
      long wallNs,
      String longestIn,
      long longestNs) {}

  private final List<Slow> slowest = new ArrayList<>();

  /** Whether a session with this end may be one, so that others need not be looked at. */
  public boolean mayTake(long ownEndNs) {
    return slowest.size() < MOST || ownEndNs >= slowest.get(MOST - 1).ownEndNs();
  }

  public void add(Slow session) {
    Slow sibling = null;
    for (Slow other : slowest) {
      sibling = session.group() != null && session.group().equals(other.group()) ? other : sibling;
    }
    if (sibling != null) {
      if (SLOWEST.compare(sibling, session) <= 0) {
        return;
      }
      slowest.remove(sibling);
    }
    slowest.add(session);
    slowest.sort(SLOWEST);
    if (slowest.size() > MOST) {
      slowest.remove(MOST);
    }
  }

  public void addAll(Stragglers other) {
    other.slowest.forEach(this::add);
  }

  public List<Straggler> list() {
    return slowest.stream()
        .map(
            s ->
                new Straggler(
                    s.session(),
                    s.status(),
                    s.worker(),
                    Nanos.toSeconds(s.wallNs()),
                    Nanos.toSeconds(s.ownNs()),
                    s.longestIn(),
                    Nanos.toSeconds(s.longestNs())))
        .toList();
  }
}
