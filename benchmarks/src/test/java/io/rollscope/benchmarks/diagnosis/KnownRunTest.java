package io.rollscope.benchmarks.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.benchmarks.diagnosis.KnownRun.Acceptable;
import io.rollscope.benchmarks.diagnosis.KnownRun.Fault;
import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.faults.FaultyRun;
import io.rollscope.simulator.faults.StalledSync;
import io.rollscope.simulator.faults.Truth;
import io.rollscope.simulator.faults.WriteRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownRunTest {
  @TempDir Path folder;

  @Test
  void truthOfTheSimulatorIsReadAsItWasWritten() throws IOException {
    Truth truth = WriteRuns.write(run("stalled", new StalledSync(3, 1e6, 240)), folder);

    KnownRun known = KnownRun.read(folder.resolve("truth.json"));

    assertThat(known)
        .isEqualTo(
            new KnownRun(
                "stalled",
                List.of(
                    new Fault(
                        "global_stall",
                        List.of("weight_sync", "run"),
                        false,
                        truth.expected().get(0).wallS(),
                        false,
                        true)),
                List.of(new Acceptable("slow_sync", null, false, Double.POSITIVE_INFINITY)),
                truth.wallS(),
                4));
  }

  @Test
  void dataOfTheSimulatorIsReadWhole() throws IOException {
    Truth truth = WriteRuns.write(run("healthy"), folder);

    Diagnosis diagnosis = new Diagnosis(folder.resolve("data"));

    assertThat(diagnosis.run().table().sessionCount()).isGreaterThanOrEqualTo(216);
    assertThat(truth.sessions()).isEqualTo(216);
    assertThat(diagnosis.findings().coverage().groups()).isTrue();
    assertThat(diagnosis.findings().coverage().beats()).isTrue();
    assertThat(diagnosis.findings().coverage().steps()).isEqualTo(6);
  }

  /** Truths of the samples that another generator wrote have neither of the flags. */
  @Test
  void truthOfAnotherGeneratorIsRead() throws IOException {
    Path file = folder.resolve("truth.json");
    Files.writeString(
        file,
        """
        {"case":"other","healthy":false,"expected":[{"kind":"slow_service",
         "subject":{"type":"service","id":"judge"},"stage":"judge","steps":[3],"costly_steps":[3],
         "cost_wall_s":89.519,"cost_wall_s_per_step":[0.0,89.519],"primary":true}],
         "acceptable":[{"kind":"starved_trainer","steps":"all","at_most":0.3}],
         "cost_wall_s":89.519,"cost_is":"total","wall_s":546.72,"step_s":[300.0,246.72]}
        """);

    assertThat(KnownRun.read(file))
        .isEqualTo(
            new KnownRun(
                "other",
                List.of(new Fault("slow_service", List.of("judge"), false, 89.519, false, true)),
                List.of(new Acceptable("starved_trainer", null, true, 0.3)),
                546.72,
                2));
  }

  private static FaultyRun run(String name, io.rollscope.simulator.faults.Fault... faults) {
    return new FaultyRun(name, ClusterSettings.synchronous(5), List.of(faults), List.of());
  }
}
