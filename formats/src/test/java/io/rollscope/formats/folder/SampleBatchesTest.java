package io.rollscope.formats.folder;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.view.BatchesReport;
import io.rollscope.core.view.BatchesReport.Batch;
import io.rollscope.core.view.BatchesReport.Straggler;
import io.rollscope.core.view.BatchesView;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionsReport;
import io.rollscope.core.view.SessionsView;
import io.rollscope.formats.ReadSource;
import io.rollscope.formats.Samples;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the steps of real runs went. */
class SampleBatchesTest {

  private static BatchesReport batches(ReadSource source, Scope scope, Integer batchSize) {
    SessionsView.Input input =
        new SessionsView.Input(
            source.table(), source.run().counters(), source.run().barrierSpans(), batchSize);
    return BatchesView.of(input, scope, 100, source.context());
  }

  private static Batch step(BatchesReport report, long step) {
    return report.batches().stream().filter(b -> b.trainStep() == step).findFirst().orElseThrow();
  }

  /** “dapo_math:124 spent 8 m 04 s in generate_group”: it had waited for its sibling 125. */
  @Test
  void theStragglerIsTheCauseAndNotASiblingThatWaitedForIt() throws IOException {
    ReadSource run1 = ReadSource.of(Samples.folder("xtuner/run1"));

    BatchesReport report = batches(run1, Scope.ALL, null);

    assertThat(step(report, 1).stragglers().get(0).session()).isEqualTo("dapo_math:52");
    Straggler second = step(report, 2).stragglers().get(0);
    assertThat(second.session()).isEqualTo("dapo_math:125");
    assertThat(second.longestIn()).isEqualTo("engine.generate");
    for (Batch batch : report.batches()) {
      assertThat(batch.stragglers()).hasSize(3);
      List<Integer> groups =
          batch.stragglers().stream()
              .map(s -> run1.table().inferredGroup(run1.table().findSession(s.session())))
              .toList();
      assertThat(groups).doesNotHaveDuplicates();
      double self = batch.stages().values().stream().mapToDouble(s -> s).sum();
      BatchesReport.Batch b = batch;
      double waits =
          b.waits().queueS() + b.waits().gapS() + b.waits().siblingsS() + b.waits().unaccountedS();
      assertThat(self + waits + b.waits().barrierS())
          .isCloseTo(b.sessionS(), org.assertj.core.api.Assertions.within(1e-6));
    }
  }

  /** `sessions` had three steps, the report said “This run names no steps”. */
  @Test
  void stepsOfATrainerAreBatchesInEveryView() throws IOException {
    ReadSource areal = ReadSource.of(Samples.folder("areal/current"));

    SessionsReport sessions = areal.sessions(Scope.ACTIVE);
    BatchesReport batches = batches(areal, Scope.ACTIVE, null);

    assertThat(sessions.records()).isEqualTo(816);
    assertThat(sessions.steps()).hasSize(3);
    assertThat(sessions.batches()).hasSize(3);
    assertThat(batches.batches()).hasSize(3);
    assertThat(batches.batches().stream().mapToInt(Batch::sessions).sum())
        .isEqualTo(sessions.steps().stream().mapToInt(SessionsReport.Step::sessions).sum());
    assertThat(batches.batches().get(0).batch()).isEqualTo("train_step=2");
    assertThat(areal.sessions(Scope.LATEST).records()).isEqualTo(816);
  }

  /** contracts.md 5.18 */
  @Test
  void stepsByBatchSizeAreBatchesToo() throws IOException {
    ReadSource areal = ReadSource.of(Samples.folder("areal/current/session_tracer"));

    BatchesReport batches = batches(areal, Scope.ALL, 60);

    assertThat(batches.batches()).extracting(Batch::sessions).containsExactly(184, 332, 284);
    assertThat(batches(areal, Scope.ALL, null).batches()).isEmpty();
  }
}
