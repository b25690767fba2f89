package io.rollscope.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SettingsTest {
  private static final Settings DEMO = Settings.demo();

  static Stream<Arguments> badValues() {
    return Stream.of(
        bad("batches: 0 (expected: >= 1)", () -> DEMO.workload().withBatches(0)),
        bad("tasksPerBatch: -1 (expected: >= 1)", () -> DEMO.workload().withTasksPerBatch(-1)),
        bad("samplesPerTask: 0 (expected: >= 1)", () -> DEMO.workload().withSamplesPerTask(0)),
        bad("maxInFlight: 0 (expected: >= 1)", () -> DEMO.workload().withMaxInFlight(0)),
        bad("maxStaleness: -1 (expected: >= 0)", () -> DEMO.workload().withMaxStaleness(-1)),
        bad("workers: 0 (expected: >= 1)", () -> DEMO.fleet().withWorkers(0)),
        bad("slotsPerWorker: 0 (expected: >= 1)", () -> DEMO.fleet().withSlotsPerWorker(0)),
        bad("slowWorker: -2 (expected: >= -1)", () -> DEMO.fleet().withSlowWorker(-2)),
        bad("slowFactor: 0.0 (expected: > 0)", () -> DEMO.fleet().withSlowFactor(0)),
        bad("trainerRanks: 0 (expected: >= 1)", () -> DEMO.fleet().withTrainerRanks(0)),
        bad("generateS: NaN (expected: > 0)", () -> DEMO.durations().withGenerateS(Double.NaN)),
        bad("generateSpread: -1.0 (expected: >= 0)", () -> DEMO.durations().withGenerateSpread(-1)),
        bad("tailShare: 1.5 (expected: 0 to 1)", () -> DEMO.durations().withTailShare(1.5)),
        bad("hangEvery: -5 (expected: >= 0)", () -> DEMO.mishaps().withHangEvery(-5)),
        bad("judgeErrors: -0.1 (expected: 0 to 1)", () -> DEMO.mishaps().withJudgeErrors(-0.1)),
        bad("speed: 0.0 (expected: > 0)", () -> new Timeline(0, 0)),
        bad(
            "maxInFlight: 4 (expected: >= samplesPerTask, 8)",
            () -> DEMO.withWorkload(DEMO.workload().withMaxInFlight(4))));
  }

  @ParameterizedTest
  @MethodSource("badValues")
  void badValueIsRefusedWithWhatWasExpected(String message, Executable setting) {
    assertThatThrownBy(setting::execute)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void changingOneValueKeepsTheOthers() {
    Settings changed = DEMO.withSeed(7).withMishaps(DEMO.mishaps().withToolErrors(1));

    assertThat(changed.seed()).isEqualTo(7);
    assertThat(changed.mishaps()).isEqualTo(new Mishaps(600, 0.03, 0.02, 1, 0.15));
    assertThat(changed.workload()).isEqualTo(DEMO.workload());
    assertThat(changed.fleet()).isEqualTo(DEMO.fleet());
    assertThat(changed.durations()).isEqualTo(DEMO.durations());
  }

  private static Arguments bad(String message, Executable setting) {
    return Arguments.of(message, setting);
  }
}
