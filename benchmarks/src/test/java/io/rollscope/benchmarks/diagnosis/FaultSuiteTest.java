package io.rollscope.benchmarks.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.diagnosis.FindingsReport;
import io.rollscope.core.diagnosis.FindingsReport.Finding;
import io.rollscope.simulator.faults.FaultyRun;
import io.rollscope.simulator.faults.FaultyRuns;
import io.rollscope.simulator.faults.WriteRuns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One of the fixed runs of each main kind, so that detectors do not get in each other's way. */
class FaultSuiteTest {
  private static Map<String, FaultyRun> runs;

  @TempDir Path folder;

  @BeforeAll
  static void makeRuns() {
    runs =
        FaultyRuns.all().stream().collect(Collectors.toMap(FaultyRun::name, Function.identity()));
  }

  @ParameterizedTest
  @CsvSource({
    "stalled-sync-ended-1, global_stall, weight_sync",
    "hung-engine-2, hung_worker, engine:2",
    "two-hung-call-and-engine-1, hung_call, wiki-00034.1",
    "two-engine-and-judge-1, slow_worker, engine:1",
    "slow-judge-8.0-1, slow_service, judge",
    "two-sync-and-engine-1, slow_sync, weight_sync",
    "skewed-engine-1, clock_skew, h100-1",
    "two-tool-and-lost-spans-1, slow_service, tool.call",
  })
  void firstFindingIsTheCauseAndNothingElseIsSaid(String name, String kind, String subject)
      throws IOException {
    diagnose(name, kind, subject);
  }

  @ParameterizedTest
  @CsvSource({
    "failing-judge-0.15-1, failing_service, judge",
    "retry-storm-0.5-1, retry_storm, generate",
  })
  void callsThatFailOrAreRepeatedCostWhatTheyDo(String name, String kind, String subject)
      throws IOException {
    assertThat(diagnose(name, kind, subject).costError()).isLessThan(0.1);
  }

  @ParameterizedTest
  @CsvSource({"healthy-long-warm-up-async-1", "healthy-heavy-tails-1"})
  void healthyRunHasNoFinding(String name) throws IOException {
    WriteRuns.write(runs.get(name), folder);

    assertThat(new Diagnosis(folder.resolve("data")).findings().findings()).isEmpty();
  }

  private Judgement diagnose(String name, String kind, String subject) throws IOException {
    WriteRuns.write(runs.get(name), folder);

    FindingsReport report = new Diagnosis(folder.resolve("data")).findings();

    Finding first = report.findings().get(0);
    Judgement judgement = Judge.judge(KnownRun.read(folder.resolve("truth.json")), report);
    assertThat(first.kind()).isEqualTo(kind);
    assertThat(first.subject().id()).isEqualTo(subject);
    assertThat(judgement.beside()).isEmpty();
    return judgement;
  }
}
