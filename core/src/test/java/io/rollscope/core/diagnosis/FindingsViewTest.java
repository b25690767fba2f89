package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.diagnosis.FindingsReport.Finding;
import io.rollscope.core.view.Scope;
import org.junit.jupiter.api.Test;

class FindingsViewTest {

  /** The judge takes ten times as long from step 3 on. */
  private static final MadeTraining SLOW_JUDGE =
      new MadeSteps() {
        @Override
        double judge(int step, int task, int sibling) {
          return super.judge(step, task, sibling) * (step >= 3 ? 10 : 1);
        }
      }.made();

  /** Alone it could be compared with nothing. */
  @Test
  void aStepHasTheFindingsThatTheWholeRunHasOfIt() {
    Finding ofAll = SLOW_JUDGE.report(Scope.ALL).findings().get(0);
    FindingsReport ofOne = SLOW_JUDGE.report(Scope.ofBatch("train_step=4"));

    assertThat(ofAll.id()).isEqualTo("slow_service/judge/1");
    assertThat(ofAll.steps()).containsExactly(3L, 4L, 5L);
    assertThat(ofOne.findings()).containsExactly(ofAll);
    assertThat(ofOne.healthy()).isFalse();
    assertThat(ofOne.scope()).isEqualTo("batch train_step=4");
    assertThat(ofOne.coverage().steps()).isEqualTo(1);
  }

  @Test
  void whatWasNotThereInAStepIsNotSaidOfIt() {
    FindingsReport before = SLOW_JUDGE.report(Scope.ofBatch("train_step=2"));

    assertThat(before.findings()).isEmpty();
    assertThat(before.healthy()).isTrue();
    assertThat(before.sentence()).isEqualTo("Nothing needs attention.");
  }

  @Test
  void aStepThatIsNotThereIsNotHealthyButUnknown() {
    assertThat(SLOW_JUDGE.report(Scope.ofBatch("train_step=77")).sentence())
        .isEqualTo("Nothing can be judged: nothing is in scope.");
  }
}
