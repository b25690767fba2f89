package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rollscope.core.diagnosis.FindingsReport.NotJudged;
import java.util.List;
import org.junit.jupiter.api.Test;

class SaturatedEngineDetectorTest {

  /** From step 3 on calls wait 20 s in the queue of engines. */
  private static class Queues extends MadeSteps {
    boolean isFull(int step, int engine) {
      return step >= 3;
    }

    @Override
    double queue(int step, int engine) {
      return isFull(step, engine) ? 20 : 0.5;
    }
  }

  private static final class NoQueues extends Queues {
    @Override
    boolean isFull(int step, int engine) {
      return false;
    }
  }

  private static List<Cause> found(MadeSteps run) {
    return MadeTraining.detect(
            run.made(),
            new UnbalancedLoadDetector(),
            new SlowWorkerDetector(),
            new SaturatedEngineDetector(),
            new SlowServiceDetector())
        .found();
  }

  @Test
  void callsThatWaitInTheQueueOfAllEnginesAreTheStages() {
    Queues run = new Queues();
    double truth = run.costOf(new NoQueues());
    assertThat(found(run)).hasSize(1);
    Cause cause = found(run).get(0);
    assertThat(cause.kind).isEqualTo(FindingKind.SATURATED_ENGINE);
    assertThat(cause.subject.type()).isEqualTo("stage");
    assertThat(cause.subject.id()).isEqualTo("engine.generate");
    assertThat(cause.steps).containsExactly(3L, 4L, 5L);
    assertThat(cause.cost.wallS()).isEqualTo(truth, within(0.05 * truth));
    assertThat(cause.sentence)
        .startsWith(
            "Calls of engine.generate wait in the queue for 60 % of their time (20 s of 33 s)");
  }

  @Test
  void oneEngineWithAQueueIsTheWorkers() {
    List<Cause> found =
        found(
            new Queues() {
              @Override
              boolean isFull(int step, int engine) {
                return step >= 3 && engine == 1;
              }
            });
    assertThat(found).hasSize(1);
    assertThat(found.get(0).kind).isEqualTo(FindingKind.SATURATED_ENGINE);
    assertThat(found.get(0).subject.type()).isEqualTo("worker");
    assertThat(found.get(0).subject.id()).isEqualTo("engine:1");
  }

  @Test
  void shortQueuesAreNoFinding() {
    assertThat(found(new NoQueues())).isEmpty();
  }

  @Test
  void withoutQueueTimesNothingIsJudged() {
    assertThat(
            MadeTraining.detect(new MadeSteps().made(), new SaturatedEngineDetector()).notJudged())
        .containsExactly(
            new NotJudged("saturated_engine", "calls do not say how long they waited in a queue"));
  }
}
