package io.rollscope.core.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** A batch waits for its slowest sessions: how long, and what that costs. */
class BatchTotalsTest {

  record Session(long from, long to) {}

  private static BatchTotals.Result of(List<Session> sessions) {
    BatchTotals batch = new BatchTotals();
    sessions.forEach(s -> batch.add(s.from(), s.to(), false));
    return batch.result();
  }

  /** Nine samples take a second, the tenth takes ten: nine slots stand empty for nine seconds. */
  @Test
  void oneStragglerOfTenCostsNineSlotsForNineSeconds() {
    BatchTotals batch = new BatchTotals();
    for (int i = 0; i < 9; i++) {
      batch.add(0, 1_000_000_000L, false);
    }
    batch.add(0, 10_000_000_000L, false);
    BatchTotals.Result result = batch.result();
    assertThat(result.slots()).isEqualTo(10);
    assertThat(result.wallNs()).isEqualTo(10_000_000_000L);
    assertThat(result.tailNs()).isEqualTo(9_000_000_000L);
    assertThat(result.tailCost().exact()).isEqualTo(81_000_000_000L);
  }

  /** A worker with one slot takes one sample after another. */
  @Test
  void aSessionThatStartsWhenAnotherEndsTakesOverItsSlot() {
    assertThat(of(List.of(new Session(0, 5), new Session(5, 9))).slots()).isEqualTo(1);
  }

  /** A stuck batch showed a tail of 0.001 s, for more than a tenth of its sessions hung. */
  @Test
  void theTailOfAStuckBatchLastsUntilNow() {
    BatchTotals batch = new BatchTotals();
    for (int i = 0; i < 6; i++) {
      batch.add(0, 10 + i, false);
    }
    batch.add(0, 500, true);
    batch.add(0, 500, true);

    assertThat(batch.result().tailNs()).isEqualTo(485);
    assertThat(batch.result().tailCost().exact()).isEqualTo(6 * 485);
  }

  /** Steps of 4.25 s with a slow weight sync were shown as 1.04 s. */
  @Test
  void theWallOfABatchIsThatOfItsOwnSpanWithTrainingAndSync() {
    BatchTotals batch = new BatchTotals();
    batch.add(100, 160, false);
    BatchTotals process = new BatchTotals();
    process.span(100, 190);
    process.part("train", 160, 185);
    process.part("weight_sync", 184, 190);
    process.part("weight_sync", 183, 188);
    batch.addAll(process);

    assertThat(batch.result().wallNs()).isEqualTo(90);
    assertThat(batch.parts()).containsExactly(entry("train", 25L), entry("weight_sync", 7L));
  }

  /** A batch of which nothing is known yet. */
  @Test
  void nothingIsNoTime() {
    assertThat(of(List.of()).wallNs()).isZero();
  }

  @Property
  void equalsTheDefinitionInstantByInstant(@ForAll("sessions") List<Session> sessions) {
    BatchTotals.Result result = of(sessions);
    long first = sessions.stream().mapToLong(Session::from).min().getAsLong();
    long last = sessions.stream().mapToLong(Session::to).max().getAsLong();
    long done = (long) Math.ceil(sessions.size() * 0.9);
    long tailFrom = first;
    while (countEndedBy(sessions, tailFrom) < done) {
      tailFrom++;
    }
    long slots = 0;
    for (long t = first; t < last; t++) {
      slots = Math.max(slots, running(sessions, t));
    }
    long cost = 0;
    for (long t = tailFrom; t < last; t++) {
      cost += slots - running(sessions, t);
    }
    assertThat(result.wallNs()).isEqualTo(last - first);
    assertThat(result.tailNs()).isEqualTo(last - tailFrom);
    if (last > first) {
      assertThat((long) result.slots()).isEqualTo(slots);
    }
    assertThat(result.tailCost().exact()).isEqualTo(cost);
  }

  private static long countEndedBy(List<Session> sessions, long instant) {
    return sessions.stream().filter(s -> s.to() <= instant).count();
  }

  private static long running(List<Session> sessions, long instant) {
    return sessions.stream().filter(s -> s.from() <= instant && instant < s.to()).count();
  }

  @Provide
  Arbitrary<List<Session>> sessions() {
    Arbitrary<Long> start = Arbitraries.longs().between(0, 30);
    Arbitrary<Long> length = Arbitraries.longs().between(1, 30);
    return Combinators.combine(start, length)
        .as((from, l) -> new Session(from, from + l))
        .list()
        .ofMinSize(1)
        .ofMaxSize(25);
  }
}
