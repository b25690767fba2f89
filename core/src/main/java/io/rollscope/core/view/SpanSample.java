package io.rollscope.core.view;

import io.rollscope.core.model.Status;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Chooses whose spans are kept when there are too many: a quarter of the budget each for the
 * slowest, the unfinished and the failed or lost sessions, the slowest of them first; the rest is a
 * fair sample of all others, by a hash of their ids.
 */
public final class SpanSample {
  private final SessionColumns sessions;
  private final long budget;
  private final BitSet kept = new BitSet();
  private long spans;

  private SpanSample(SessionColumns sessions, long budget) {
    this.sessions = sessions;
    this.budget = budget;
  }

  /** Places in {@code sessions} whose spans together are no more than {@code budget}. */
  public static BitSet of(SessionColumns sessions, long budget) {
    int count = sessions.session().length;
    long all = IntStream.range(0, count).mapToLong(i -> sessions.spanCount()[i]).sum();
    SpanSample sample = new SpanSample(sessions, budget);
    if (all <= budget) {
      sample.kept.set(0, count);
      return sample.kept;
    }
    List<Integer> slowest =
        IntStream.range(0, count)
            .boxed()
            .sorted(Comparator.comparingDouble((Integer i) -> -sessions.wallS()[i]))
            .toList();
    sample.take(slowest, i -> true, budget / 4);
    sample.take(slowest, i -> sample.is(i, Status.RUNNING, Status.QUEUED), budget / 4);
    sample.take(slowest, i -> sample.is(i, Status.FAILED, Status.LOST), budget / 4);
    List<Integer> shuffled =
        IntStream.range(0, count)
            .boxed()
            .sorted(Comparator.comparingInt((Integer i) -> hash(sessions.session()[i])))
            .toList();
    sample.take(shuffled, i -> true, budget - sample.spans);
    return sample.kept;
  }

  private boolean is(int session, Status... statuses) {
    String word = sessions.statuses().get(sessions.status()[session]);
    for (Status status : statuses) {
      if (status.word().equals(word)) {
        return true;
      }
    }
    return false;
  }

  private void take(List<Integer> order, IntPredicate wanted, long room) {
    long taken = 0;
    for (int i : order) {
      long more = sessions.spanCount()[i];
      if (kept.get(i) || !wanted.test(i)) {
        continue;
      }
      if (taken + more > room || spans + more > budget) {
        return; // Taking smaller ones instead would favour them.
      }
      kept.set(i);
      taken += more;
      spans += more;
    }
  }

  /** Ids that differ in one digit must not lie together. */
  private static int hash(String id) {
    int h = id.hashCode();
    h = (h ^ (h >>> 16)) * 0x85ebca6b;
    h = (h ^ (h >>> 13)) * 0xc2b2ae35;
    return h ^ (h >>> 16);
  }
}
