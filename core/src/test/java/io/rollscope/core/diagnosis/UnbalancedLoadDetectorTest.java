package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rollscope.core.diagnosis.FindingsReport.NotJudged;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnbalancedLoadDetectorTest {

  /** From step 2 on three of four sessions go to engine 0, which is half as fast for it. */
  private static final class OneBusy extends MadeSteps {
    final double times;

    OneBusy(double times) {
      this.times = times;
    }

    @Override
    int engine(int step, int task, int sibling) {
      boolean other = (task + sibling) % 4 == 3;
      return step < 2 ? super.engine(step, task, sibling) : other ? 1 + task % 3 : 0;
    }

    @Override
    double pace(int step, int engine, int task, int sibling) {
      boolean busy = step >= 2 && engine == 0;
      return super.pace(step, engine, task, sibling) * (busy ? times : 1);
    }
  }

  @Test
  void aWorkerThatGetsMostOfTheWorkExplainsThatItIsSlow() {
    OneBusy run = new OneBusy(2);
    double truth = run.costOf(new OneBusy(1));
    List<Cause> found =
        MadeTraining.detect(run.made(), new UnbalancedLoadDetector(), new SlowWorkerDetector())
            .found();
    assertThat(found).hasSize(1);
    Cause cause = found.get(0);
    assertThat(cause.kind).isEqualTo(FindingKind.UNBALANCED_LOAD);
    assertThat(cause.subject.id()).isEqualTo("engine.generate");
    assertThat(cause.steps).containsExactly(2L, 3L, 4L, 5L);
    assertThat(cause.evidence.get(0).value()).isEqualTo(0.755, within(0.005));
    assertThat(cause.cost.wallS()).isEqualTo(truth, within(0.05 * truth));
    assertThat(cause.sentence)
        .startsWith(
            "engine:0 gets 76 % of the work of engine.generate (an even share of 4 workers is 25 %)");
  }

  @Test
  void aLargeWorkerThatIsAsFastAsTheOthersIsNoFinding() {
    assertThat(MadeTraining.detect(new OneBusy(1).made(), new UnbalancedLoadDetector()).found())
        .isEmpty();
  }

  @Test
  void anEvenLoadIsNoFinding() {
    assertThat(MadeTraining.detect(new MadeSteps().made(), new UnbalancedLoadDetector()).found())
        .isEmpty();
  }

  @Test
  void twoWorkersCannotBeJudged() {
    MadeTraining run = new MadeTraining().step(1, 0, 10, 15, 17);
    run.session(1, "a", 0).call("judge", 0, 10);
    run.session(1, "a", 1).call("judge", 0, 10);
    assertThat(MadeTraining.detect(run, new UnbalancedLoadDetector()).notJudged())
        .containsExactly(
            new NotJudged("unbalanced_load", "no stage has calls of three workers or more"));
  }
}
