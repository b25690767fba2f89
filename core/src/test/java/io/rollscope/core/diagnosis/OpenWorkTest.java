package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.diagnosis.OpenWork.Doing;
import io.rollscope.core.diagnosis.RunWork.SessionWork;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who waits for whom (docs/diagnosis.md, “Blocked by”). */
class OpenWorkTest {
  private static SessionWork session(RunWork work, String id) {
    return work.sessions().stream().filter(s -> s.id().equals(id)).findFirst().orElseThrow();
  }

  /** A group of samples: one tool does not answer, two are done, one was never begun. */
  private static OpenRun group() {
    OpenRun run = new OpenRun();
    run.session("hung", "t", 1).call("generate", "agent:0", 0, 3).open("tool", "agent:0", 3);
    run.session("done", "t", 1).open("group", "agent:0", 0).inside("generate", "agent:0", 0, 4.0);
    run.session("between", "t", 1).call("generate", "agent:0", 0, 5);
    run.session("other task", "u", 1).call("generate", "agent:0", 0, 6);
    return run;
  }

  @Test
  void aSessionThatIsDoneWaitsForASiblingThatIsAtWork() {
    RunWork work = group().work();
    OpenWork open = work.open();

    assertThat(open.doing(session(work, "hung"))).isEqualTo(Doing.AT_WORK);
    assertThat(open.doing(session(work, "done"))).isEqualTo(Doing.PAUSED);
    assertThat(open.waitsForSibling(session(work, "done"))).isTrue();
    assertThat(open.siblingsWaiting(List.of(session(work, "hung"))))
        .extracting(SessionWork::id)
        .containsExactly("done");
  }

  @Test
  void whatIsOpenInAVictimIsNoWorkOfItsOwn() {
    RunWork work = group().work();

    assertThat(work.open().ownOpenCalls()).extracting(work::stage).containsExactly("tool");
  }

  /** When all are done, the group itself is late: nobody is its sibling's victim. */
  @Test
  void withoutASiblingAtWorkNobodyWaits() {
    OpenRun run = new OpenRun();
    run.session("a", "t", 1).open("group", "agent:0", 0).inside("generate", "agent:0", 0, 4.0);
    run.session("b", "t", 1).open("group", "agent:0", 0).inside("generate", "agent:0", 0, 9.0);
    RunWork work = run.work();

    assertThat(work.open().waitsForSibling(session(work, "a"))).isFalse();
    assertThat(work.open().ownOpenCalls()).hasSize(2);
  }

  @Test
  void theTrainerWaitsFromWhenAllOthersOfTheStepAreDone() {
    OpenRun run = group();
    run.lane("trainer:0", "wait_rollout", 1L, 1, null).beat("trainer:0", "h", 100);
    RunWork work = run.work();
    SessionWork hung = session(work, "hung");
    long second = 1_000_000_000L;

    assertThat(work.open().stepWaited(hung, List.of(hung), 0, work.nowNs())).isEqualTo(94 * second);
    assertThat(work.open().stepWaited(hung, List.of(hung), 20 * second, work.nowNs()))
        .isEqualTo(80 * second);
  }

  /** Asynchronous: it trains on other samples. */
  @Test
  void aTrainerInAnotherStepWaitsForNobody() {
    OpenRun run = group();
    run.lane("trainer:0", "wait_rollout", 2L, 1, null).beat("trainer:0", "h", 100);
    RunWork work = run.work();
    SessionWork hung = session(work, "hung");

    assertThat(work.open().stepWaited(hung, List.of(hung), 0, work.nowNs())).isZero();
  }

  @Test
  void whatWouldStillBeTrainingIsNotOverdue() {
    OpenRun run = group();
    run.lane("trainer:0", "wait_rollout", 0L, -50, -40.0)
        .lane("trainer:0", "wait_rollout", 1L, -10, null)
        .beat("trainer:0", "h", 100);
    OpenWork open = run.work().open();

    assertThat(open.stepOverdue(90_000_000_000L)).isEqualTo(60_000_000_000L);
    assertThat(open.stepOverdue(20_000_000_000L)).isZero();
  }
}
