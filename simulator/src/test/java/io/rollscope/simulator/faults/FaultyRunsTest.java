package io.rollscope.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.diagnosis.FindingKind;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FaultyRunsTest {

  @Test
  void thereAreEnoughRunsOfEveryKind() {
    List<FaultyRun> runs = FaultyRuns.all();

    assertThat(runs).extracting(FaultyRun::name).doesNotHaveDuplicates();
    assertThat(runs).hasSizeGreaterThanOrEqualTo(120);
    assertThat(runs.stream().filter(FaultyRun::isHealthy)).hasSizeGreaterThanOrEqualTo(40);
    Set<String> kinds =
        runs.stream()
            .flatMap(run -> run.faults().stream().map(f -> f.expected(run.settings()).kind()))
            .collect(Collectors.toSet());
    assertThat(kinds)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(FindingKind.values()).map(FindingKind::word).toList());
  }

  /** A fault that is never there would make silence a miss. */
  @Test
  void everyFaultIsThereAndRunsAreOfModestSize() throws IOException {
    for (FaultyRun run : FaultyRuns.all()) {
      Truth truth = TruthFinder.find(run, null);

      assertThat(truth.sessions()).as(run.name()).isBetween(100L, 1_000L);
      assertThat(truth.expected()).as(run.name()).hasSameSizeAs(run.faults());
      for (Truth.Cost cost : truth.expected()) {
        assertThat(cost.steps()).as(run.name()).isNotEmpty();
      }
    }
  }

  @Test
  void freshRunsAreDrawnByTheirSeed() {
    List<FaultyRun> runs = FaultyRuns.fresh(50, 5);

    assertThat(FaultyRuns.fresh(50, 5))
        .extracting(FaultyRun::name)
        .isEqualTo(runs.stream().map(FaultyRun::name).toList())
        .doesNotHaveDuplicates();
    assertThat(FaultyRuns.fresh(50, 6))
        .extracting(FaultyRun::name)
        .doesNotContainAnyElementsOf(runs.stream().map(FaultyRun::name).toList());
    assertThat(runs.stream().filter(FaultyRun::isHealthy).count()).isBetween(5L, 25L);
  }
}
