package io.rollscope.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollscope.simulator.cluster.Cluster;
import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.RunResult;
import io.rollscope.simulator.cluster.Stages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TruthFinderTest {
  private static final ClusterSettings QUESTIONS = ClusterSettings.synchronous(31);
  private static final Fault ENGINE = new SlowEngine(1, 3, Steps.from(2));
  private static final Fault SYNC = new SlowSync(6, 0, Steps.from(3));

  @TempDir Path folder;

  @Test
  void costIsTheDifferenceToTheSameRunWithoutTheFault() throws IOException {
    RunResult with = Cluster.run(QUESTIONS, List.of(ENGINE), null);
    RunResult without = Cluster.run(QUESTIONS, List.of(), null);

    Truth.Cost cost = find(QUESTIONS, ENGINE).expected().get(0);

    assertThat(cost.wallS()).isCloseTo(with.wallS() - without.wallS(), within(0.005));
    for (int i = 0; i < 6; i++) {
      double difference = with.stepS().get(i) - without.stepS().get(i);
      assertThat(cost.stepS().get(i)).isCloseTo(difference, within(0.001));
    }
    assertThat(cost.stepS().subList(0, 2)).containsExactly(0.0, 0.0);
    assertThat(cost.steps()).containsExactly(2, 3, 4, 5);
  }

  /** Each is taken out alone, with the other still there. */
  @Test
  void twoFaultsHaveACostEachAndTheCostlierStandsFirst() throws IOException {
    RunResult both = Cluster.run(QUESTIONS, List.of(ENGINE, SYNC), null);
    RunResult engineOnly = Cluster.run(QUESTIONS, List.of(ENGINE), null);
    RunResult syncOnly = Cluster.run(QUESTIONS, List.of(SYNC), null);

    List<Truth.Cost> costs = find(QUESTIONS, SYNC, ENGINE).expected();

    assertThat(costs)
        .extracting(cost -> cost.finding().kind())
        .containsExactly("slow_worker", "slow_sync");
    assertThat(costs.get(0).wallS()).isCloseTo(both.wallS() - syncOnly.wallS(), within(0.005));
    assertThat(costs.get(1).wallS()).isCloseTo(both.wallS() - engineOnly.wallS(), within(0.005));
  }

  @Test
  void standstillThatGoesOnStandsFirstAndCostsWhatItsStepIsOverdue() throws IOException {
    Fault hung = HungCall.open(QUESTIONS, Stages.JUDGE, 4, 300);
    RunResult with = Cluster.run(QUESTIONS, List.of(ENGINE, hung), null);
    RunResult without = Cluster.run(QUESTIONS, List.of(ENGINE), null);

    Truth truth = find(QUESTIONS, ENGINE, hung);

    assertThat(truth.isFinished()).isFalse();
    Truth.Cost cost = truth.expected().get(0);
    assertThat(cost.finding().kind()).isEqualTo("hung_call");
    assertThat(cost.stepS()).hasSize(5);
    double overdue = with.unfinishedS() - without.stepS().get(4);
    assertThat(cost.wallS()).isCloseTo(overdue, within(0.005)).isGreaterThan(100);
  }

  @Test
  void whatHardlyCostsTimeIsSlight() throws IOException {
    Fault hardly = new SlowEngine(1, 1.02, Steps.from(4));
    Fault errors = new FailingService(Stages.JUDGE, 0.3, 0, Steps.from(4));

    assertThat(find(QUESTIONS, hardly).expected().get(0).isSlight()).isTrue();
    assertThat(find(QUESTIONS, ENGINE).expected().get(0).isSlight()).isFalse();
    assertThat(find(QUESTIONS, errors).expected().get(0).isSlight()).isFalse();
  }

  @Test
  void fileSaysTheSame() throws IOException {
    FaultyRun run =
        new FaultyRun(
            "named",
            QUESTIONS,
            List.of(SYNC, ENGINE),
            List.of(Acceptable.of("hung_call", "math-1")));
    Truth truth = WriteRuns.write(run, folder);

    JsonNode file = new ObjectMapper().readTree(folder.resolve("truth.json").toFile());
    assertThat(file.get("case").asText()).isEqualTo("named");
    assertThat(file.get("seed").asLong()).isEqualTo(31);
    assertThat(file.get("healthy").asBoolean()).isFalse();
    assertThat(file.get("cost_is").asText()).isEqualTo("total");
    assertThat(file.get("wall_s").asDouble()).isEqualTo(truth.wallS());
    assertThat(file.get("step_s")).hasSize(6);
    JsonNode first = file.at("/expected/0");
    assertThat(first.get("kind").asText()).isEqualTo("slow_worker");
    assertThat(first.at("/subject/id").asText()).isEqualTo("engine:1");
    assertThat(first.get("cost_wall_s").asDouble())
        .isEqualTo(truth.expected().get(0).wallS())
        .isEqualTo(file.get("cost_wall_s").asDouble());
    assertThat(first.get("steps").toString()).isEqualTo("[2,3,4,5]");
    assertThat(first.get("costly_steps").toString()).isEqualTo("[2,3,4,5]");
    assertThat(first.get("primary").asBoolean()).isTrue();
    assertThat(file.at("/expected/1/subject/also/0").asText()).isEqualTo("run");
    assertThat(file.at("/expected/1/primary").asBoolean()).isFalse();
    assertThat(file.at("/acceptable/0/subject/id").asText()).isEqualTo("math-1");
  }

  private static Truth find(ClusterSettings settings, Fault... faults) throws IOException {
    return TruthFinder.find(new FaultyRun("run", settings, List.of(faults), List.of()), null);
  }
}
