package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rollscope.core.diagnosis.FindingsReport.Cost;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReplayTest {
  private static final long S = 1_000_000_000L;

  /** Two groups of two in one step: the longest session ends at 20 s, the next at 14 s. */
  private static MadeTraining twoGroups() {
    MadeTraining run = new MadeTraining().step(1, 0, 20, 25, 27);
    run.session(1, "a", 0).call("judge", 0, 20);
    run.session(1, "a", 1).call("judge", 0, 8);
    run.session(1, "b", 0).call("judge", 0, 14);
    run.session(1, "b", 1).call("judge", 0, 9);
    return run;
  }

  private static int call(RunWork work, String session) {
    return IntStream.range(0, work.callCount())
        .filter(i -> work.session(i).id().equals(session))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatIsUntouchedTakesAsLongAsItDid() {
    Replay.Change change = twoGroups().work().replay().change();
    assertThat(change.savedNs()).isZero();
    assertThat(change.after(0, S).error()).isZero();
  }

  @Test
  void theLongestSessionCostsOnlyUpToTheNext() {
    RunWork work = twoGroups().work();
    Replay.Change change = work.replay().change().call(call(work, "a.0"), 5 * S);
    assertThat(change.savedNs(0)).isEqualTo(6 * S);
    Cost cost = change.cost();
    assertThat(cost.wallS()).isEqualTo(6.0);
    // Four slots for 6 s less, of which 15 s were work: 9 s of waiting are gone.
    assertThat(cost.slotS()).isEqualTo(4 * 6.0 - 15);
    assertThat(cost.modelError()).isZero();
  }

  @Test
  void whoWaitsForASiblingCostsNothing() {
    RunWork work = twoGroups().work();
    assertThat(work.replay().change().call(call(work, "a.1"), S).cost().wallS()).isZero();
  }

  @Test
  void timeAfterTheBatchIsSavedAsItIs() {
    RunWork work = twoGroups().work();
    assertThat(work.replay().change().after(0, 2 * S).cost().wallS()).isEqualTo(2.0);
  }

  /** Two slots for three groups: the third begins when the first has ended. */
  @Test
  void aSlotThatGetsFreeEarlierStartsTheNextGroupEarlier() {
    MadeTraining run = new MadeTraining().step(1, 0, 22, 25, 27);
    run.session(1, "a", 0).call("judge", 0, 10);
    run.session(1, "b", 0).call("judge", 0, 15);
    run.session(1, "c", 0).call("judge", 10.1, 22);
    RunWork work = run.work();
    Replay.Change change = work.replay().change().call(call(work, "a.0"), 6 * S);
    assertThat(change.savedNs() / 1e9).isEqualTo(4.0, within(0.001));
    assertThat(change.error()).isEqualTo(0.1 / 27, within(1e-9));
  }

  /** A step in which the trainer waited for something that is not recorded. */
  @Test
  void whereTheModelDoesNotHoldTheCostIsUnknown() {
    MadeTraining run = new MadeTraining().step(1, 0, 40, 45, 47);
    run.session(1, "a", 0).call("judge", 0, 20);
    RunWork work = run.work();
    Cost cost = work.replay().change().call(call(work, "a.0"), S).cost();
    assertThat(cost.wallS()).isNull();
    assertThat(cost.slotS()).isNull();
    assertThat(cost.modelError()).isEqualTo(20 / 47.0, within(1e-9));
  }

  /** Clocks of hosts differ: sessions of a step begin a moment before the trainer's step. */
  @Test
  void sessionsThatBeginAMomentBeforeTheirStepBelongToIt() {
    MadeTraining run = new MadeTraining().step(1, 0, 10, 15, 17).step(2, 17, 27, 32, 34);
    run.session(1, "a", 0).call("judge", 0, 10);
    run.session(2, "b", 0).call("judge", 16.995, 27);
    RunWork work = run.work();
    Replay.Change change =
        work.replay().change().call(call(work, "a.0"), 4 * S).call(call(work, "b.0"), 3 * S);
    assertThat(change.savedNs(0)).isEqualTo(6 * S);
    assertThat(change.savedNs(1) / 1e9).isEqualTo(7.005, within(0.001));
  }

  /** Rollouts of step 2 are made while step 1 is trained: the trainer never waits for them. */
  @Test
  void whatTheTrainerDoesNotWaitForCostsNothing() {
    MadeTraining run = new MadeTraining().step(1, 0, 10, 40, 42).step(2, 42, 42.03, 72, 74);
    run.session(1, "a", 0).call("judge", 0, 10);
    run.session(2, "b", 0).call("judge", 11, 35);
    RunWork work = run.work();
    assertThat(work.steps().isAsynchronous()).isTrue();
    assertThat(work.replay().change().call(call(work, "b.0"), S).cost().wallS()).isZero();
  }

  /** A trainer that takes what is there first: a slow group is left for a later step. */
  @Test
  void inAnAsynchronousRunTheTrainerTakesWhatIsDoneFirst() {
    MadeTraining run = new MadeTraining().step(1, 0, 10, 20, 22).step(2, 22, 30, 40, 42);
    run.session(1, "a", 0).call("judge", 0, 10);
    run.session(2, "b", 0).call("judge", 0, 60);
    run.session(2, "c", 0).call("judge", 0, 30);
    RunWork work = run.work();
    assertThat(work.replay().change().call(call(work, "b.0"), 5 * S).savedNs())
        .as("b is then there first, for step 1")
        .isEqualTo(5 * S + 8 * S);
    assertThat(work.replay().change().call(call(work, "c.0"), 25 * S).savedNs()).isEqualTo(5 * S);
  }
}
