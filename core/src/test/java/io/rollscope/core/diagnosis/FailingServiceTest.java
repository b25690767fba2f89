package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.diagnosis.FindingsReport.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A judge that answers with errors, or whose answers are asked for again. */
class FailingServiceTest {

  /** Five steps of forty judge calls; of those from this step on every so-manieth fails. */
  private static OpenRun run(int from, int every) {
    OpenRun run = new OpenRun();
    for (int i = 0; i < 200; i++) {
      OpenRun.Session session = run.session("s" + i, "t" + i, i / 40);
      if (i / 40 >= from && i % every == 0) {
        session.error("judge", "agent:0", i, i + 1, "HTTP 502 from judge");
      } else {
        session.call("judge", "agent:0", i, i + 1);
      }
    }
    return run;
  }

  @Test
  void itIsFoundInTheStepsInWhichErrorsRose() {
    OpenRun run = run(3, 4);

    Finding found = run.first();

    assertThat(run.found()).containsExactly("open failing_service/judge/1");
    assertThat(found.steps()).containsExactly(3L, 4L);
    assertThat(found.sentence())
        .isEqualTo("25 % of the calls of judge fail (0.0 % before): HTTP 502 from judge.");
    assertThat(found.cost().wallS()).isNull();
    assertThat(found.cost().slotS()).isEqualTo(20);
  }

  @Test
  void aSteadyShareOfErrorsIsUsual() {
    assertThat(run(0, 10).found()).isEmpty();
  }

  @Test
  void everyThirdCallIsTooMuchWhateverWasBefore() {
    assertThat(run(0, 3).found()).containsExactly("open failing_service/judge/1");
  }

  @Test
  void answersThatAreAskedForAgainAreAStorm() {
    OpenRun run = new OpenRun();
    for (int i = 0; i < 200; i++) {
      OpenRun.Session session = run.session("s" + i, "t" + i, i / 40);
      session.call("generate", "agent:0", i, i + 1);
      if (i >= 120 && i % 2 == 0) {
        session.call("generate", "agent:0", i + 1, i + 2);
      }
      session.call("judge", "agent:0", i + 3, i + 4);
    }

    assertThat(run.found()).containsExactly("open retry_storm/generate/1");
    assertThat(run.first().steps()).isEqualTo(List.of(3L, 4L));
  }

  /** Turns with a tool between them are no repeats, however many there are. */
  @Test
  void moreTurnsAreNoStorm() {
    OpenRun run = new OpenRun();
    for (int i = 0; i < 200; i++) {
      OpenRun.Session session = run.session("s" + i, "t" + i, i / 40);
      for (int turn = 0; turn < (i < 120 ? 1 : 4); turn++) {
        session.call("generate", "agent:0", i + 2 * turn, i + 2 * turn + 1);
        session.call("tool", "agent:0", i + 2 * turn + 1, i + 2 * turn + 2);
      }
    }

    assertThat(run.found()).isEmpty();
  }
}
