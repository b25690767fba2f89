package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Long tails and giant inputs: a few sessions unlike those of other steps. */
class UnlikeSessionsTest {

  /** From step 3 on two sessions of each step write ten times as much. */
  private static class Tailed extends MadeSteps {
    boolean isTail(int step, int task, int sibling) {
      return step >= 3 && task < 2 && sibling == 1;
    }

    @Override
    long tokens(int step, int task, int sibling) {
      return isTail(step, task, sibling) ? 1_300 : super.tokens(step, task, sibling);
    }
  }

  /** From step 3 on the prompts of one task of each step are a hundred times as long. */
  private static class Giant extends MadeSteps {
    @Override
    long prompt(int step, int task, int sibling) {
      return step >= 3 && task == 0 ? 30_000 : 300;
    }

    @Override
    double readingPace() {
      return 0.001;
    }
  }

  private static List<Cause> tails(MadeSteps run) {
    return MadeTraining.detect(
            run.made(), new SlowWorkerDetector(), new SlowServiceDetector(), new LongTailDetector())
        .found();
  }

  private static List<Cause> giants(MadeSteps run) {
    return MadeTraining.detect(
            run.made(),
            new SlowWorkerDetector(),
            new SlowServiceDetector(),
            new GiantInputDetector())
        .found();
  }

  @Test
  void fewSessionsThatWriteFarMoreAreALongTail() {
    Tailed run = new Tailed();
    double truth = run.costOf(new MadeSteps());
    assertThat(tails(run)).hasSize(1);
    Cause cause = tails(run).get(0);
    assertThat(cause.kind).isEqualTo(FindingKind.LONG_TAIL);
    assertThat(cause.subject.type()).isEqualTo("step");
    assertThat(cause.steps).containsExactly(3L, 4L, 5L).contains(Long.valueOf(cause.subject.id()));
    assertThat(cause.cost.wallS()).isEqualTo(truth, within(0.05 * truth));
    assertThat(cause.victims.sessions()).isEqualTo(3 * 2 * 3);
    assertThat(cause.sentence).startsWith("6 of 72 sessions write 10 × as many tokens as usual");
  }

  @Test
  void aTailInEveryStepIsHowTheRunIs() {
    assertThat(
            tails(
                new Tailed() {
                  @Override
                  boolean isTail(int step, int task, int sibling) {
                    return task < 2 && sibling == 1;
                  }
                }))
        .isEmpty();
  }

  /** One session of one step that holds it up is a tail, too. */
  @Test
  void oneSessionIsEnough() {
    Cause cause =
        tails(
                new Tailed() {
                  @Override
                  boolean isTail(int step, int task, int sibling) {
                    return step == 3 && task == 0 && sibling == 0;
                  }
                })
            .get(0);
    assertThat(cause.subject.id()).isEqualTo("3");
    assertThat(cause.steps).containsExactly(3L);
    assertThat(cause.isOpen()).isFalse();
  }

  /** Lengths of a healthy run are spread by factors: the longest of many is no other kind. */
  @Test
  void aHeavyTailIsHowARunIs() {
    assertThat(
            tails(
                new MadeSteps() {
                  @Override
                  long tokens(int step, int task, int sibling) {
                    int place = (task * SIBLINGS + sibling + 5 * step) % 24;
                    // From 1/7 to 7 times 200, evenly on a logarithmic scale; in one step up to 10.
                    double times = Math.exp((place - 11.5) / 6 * (step == 4 ? 1.2 : 1));
                    return Math.round(200 * times);
                  }
                }))
        .isEmpty();
  }

  @Test
  void longPromptsOfOneNameAreGiantInputs() {
    Giant run =
        new Giant() {
          @Override
          String taskName(int step, int task) {
            return task == 0 ? "book" : "math";
          }
        };
    Cause cause = giants(run).get(0);
    assertThat(giants(run)).hasSize(1);
    assertThat(cause.kind).isEqualTo(FindingKind.GIANT_INPUT);
    assertThat(cause.subject.type()).isEqualTo("task");
    assertThat(cause.subject.id()).isEqualTo("book");
    assertThat(cause.steps).containsExactly(3L, 4L, 5L);
    assertThat(cause.sentence).contains("12 sessions");
  }

  @Test
  void theirCostIsWhatTheRunIsLongerBy() {
    Giant run = new Giant();
    double truth =
        run.costOf(
            new Giant() {
              @Override
              long prompt(int step, int task, int sibling) {
                return 300;
              }
            });
    Cause cause = giants(run).get(0);
    assertThat(cause.cost.wallS()).isEqualTo(truth, within(0.1 * truth));
  }

  /** Two datasets, one with long prompts, in all steps. */
  @Test
  void aMixOfDatasetsIsNoFinding() {
    assertThat(
            giants(
                new Giant() {
                  @Override
                  String taskName(int step, int task) {
                    return task == 0 ? "book" : "math";
                  }

                  @Override
                  long prompt(int step, int task, int sibling) {
                    return task == 0 ? 30_000 : 300;
                  }
                }))
        .isEmpty();
  }

  @Test
  void aHealthyRunHasNeither() {
    assertThat(tails(new MadeSteps())).isEmpty();
    assertThat(giants(new MadeSteps())).isEmpty();
  }
}
