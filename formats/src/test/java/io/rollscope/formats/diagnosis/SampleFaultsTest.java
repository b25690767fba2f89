package io.rollscope.formats.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.diagnosis.FindingsReport;
import io.rollscope.core.diagnosis.FindingsReport.Finding;
import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.FindingsView;
import io.rollscope.core.view.Scope;
import io.rollscope.formats.ReadSource;
import io.rollscope.formats.Samples;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Runs of another simulator, whose faults are known. */
class SampleFaultsTest {
  private static final Set<String> STANDSTILLS =
      Set.of("hung_call", "hung_worker", "dead_process", "global_stall");

  private static FindingsReport report(String sample) throws IOException {
    ReadSource source = ReadSource.of(Samples.folder("faults/" + sample));
    return FindingsView.of(source.table(), Scope.ALL, source.context());
  }

  /** A tool of one sample gives no answer; the trainer goes on with others. */
  @Test
  void theHungToolIsTheFirstFindingAndItsSiblingsAreVictims() throws IOException {
    FindingsReport report = report("hung-tool");

    Finding first = report.findings().get(0);

    assertThat(first.id()).isEqualTo("hung_call/code-00031.2/1");
    assertThat(first.state()).isEqualTo("open");
    assertThat(first.subject()).isEqualTo(new Subject("session", "code-00031.2"));
    assertThat(first.stage()).isEqualTo("tool.call");
    assertThat(first.steps()).containsExactly(3L);
    assertThat(first.cost().wallS()).isZero();
    assertThat(first.victims().examples())
        .containsExactlyInAnyOrder("code-00031.0", "code-00031.1", "code-00031.3");
    assertThat(report.healthy()).isFalse();
  }

  @Test
  void risingRejectsAreToldWithTheirReason() throws IOException {
    List<Finding> rejects =
        report("rejects").findings().stream()
            .filter(f -> f.kind().equals("rejects_rising"))
            .toList();

    assertThat(rejects).singleElement().satisfies(f -> assertThat(f.state()).isEqualTo("closed"));
    assertThat(rejects.get(0).subject()).isEqualTo(new Subject("run", "run"));
    assertThat(rejects.get(0).steps()).containsExactly(4L, 5L, 6L, 7L);
    assertThat(rejects.get(0).sentence()).contains("no reward variance");
  }

  /** It is slow and answers: nothing hangs, fails or is lost. */
  @Test
  void aSlowJudgeIsNoStandstill() throws IOException {
    FindingsReport report = report("slow-judge");

    assertThat(report.findings())
        .extracting(Finding::kind)
        .doesNotContainAnyElementsOf(STANDSTILLS);
    assertThat(report.findings())
        .extracting(Finding::kind)
        .doesNotContain("failing_service", "retry_storm", "data_loss", "clock_skew");
  }
}
