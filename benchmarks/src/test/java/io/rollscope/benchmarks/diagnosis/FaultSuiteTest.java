package io.rollscope.benchmarks.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.diagnosis.FindingsReport.Finding;
import io.rollscope.simulator.faults.FaultyRun;
import io.rollscope.simulator.faults.FaultyRuns;
import io.rollscope.simulator.faults.WriteRuns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
    "failing-judge-0.15-1, failing_service, judge",
    "retry-storm-0.5-1, retry_storm, generate",
    "two-engine-and-judge-1, slow_worker, engine:1",
    "slow-judge-8.0-1, slow_service, judge",
    "two-sync-and-engine-1, slow_sync, weight_sync",
    "skewed-engine-1, clock_skew, h100-1",
    "two-tool-and-lost-spans-1, slow_service, tool.call",
  })
  void firstFindingIsTheCauseAndNothingElseIsSaid(String name, String kind, String subject)
      throws IOException {
    Path run = written(name);

    List<Finding> findings = new Diagnosis(run.resolve("data")).findings().findings();

    assertThat(findings.get(0).kind()).isEqualTo(kind);
    assertThat(findings.get(0).subject().id()).isEqualTo(subject);
    assertThat(judgement(run).beside()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"failing-judge-0.15-1", "retry-storm-0.5-1"})
  void whatFailedOrRepeatedCallsCostIsWithinATenth(String name) throws IOException {
    assertThat(judgement(written(name)).costError()).isLessThan(0.1);
  }

  @ParameterizedTest
  @CsvSource({"healthy-long-warm-up-async-1", "healthy-heavy-tails-1"})
  void healthyRunHasNoFinding(String name) throws IOException {
    assertThat(new Diagnosis(written(name).resolve("data")).findings().findings()).isEmpty();
  }

  private Path written(String name) throws IOException {
    WriteRuns.write(runs.get(name), folder);
    return folder;
  }

  private static Judgement judgement(Path run) throws IOException {
    return Judge.judge(
        KnownRun.read(run.resolve("truth.json")), new Diagnosis(run.resolve("data")).findings());
  }
}
