package io.rollscope.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterTest {
  private static final ClusterSettings SYNCHRONOUS = ClusterSettings.synchronous(11);
  private static final ClusterSettings ASYNCHRONOUS = ClusterSettings.asynchronous(12);

  @TempDir Path folder;

  @Test
  void sameSeedGivesTheSameFilesAndAnotherSeedOthers() throws IOException {
    Cluster.run(ASYNCHRONOUS, List.of(), folder.resolve("one"));
    Cluster.run(ASYNCHRONOUS, List.of(), folder.resolve("two"));
    Cluster.run(ClusterSettings.asynchronous(13), List.of(), folder.resolve("other"));

    Map<String, String> first = SpoolFolder.contents(folder.resolve("one"));
    assertThat(SpoolFolder.contents(folder.resolve("two"))).isEqualTo(first);
    assertThat(SpoolFolder.contents(folder.resolve("other"))).doesNotContainKeys(names(first));
  }

  private static String[] names(Map<String, String> files) {
    return files.keySet().toArray(String[]::new);
  }

  @Test
  void eachProcessHasAFile() throws IOException {
    Cluster.run(SYNCHRONOUS, List.of(), folder);

    assertThat(SpoolFolder.read(folder).processes())
        .containsExactlyInAnyOrder(
            "engine:0",
            "engine:1",
            "engine:2",
            "agent:0",
            "agent:1",
            "agent:2",
            "trainer:0",
            "trainer:1");
  }

  @Test
  void synchronousRunHasAllSessionsOfAllSteps() throws IOException {
    RunResult result = Cluster.run(SYNCHRONOUS, List.of(), folder);

    SpoolFolder read = SpoolFolder.read(folder);
    assertThat(result.sessions()).isEqualTo(6 * 9 * 4);
    assertThat(read.spansNamed("session")).hasSize(6 * 9 * 4);
    assertThat(read.spansNamed("task")).hasSize(6 * 9);
    assertThat(read.spansNamed("train.forward_backward")).hasSize(6 * 2);
    assertThat(read.spans()).hasSize((int) result.spans());
  }

  /** The trainer's own count of its steps is the one the truth is measured with. */
  @Test
  void stepsOfTheResultAreTheBatchesOfTheTrace() throws IOException {
    RunResult result = Cluster.run(SYNCHRONOUS, List.of(), folder);

    List<Double> batches =
        SpoolFolder.read(folder).spansNamed("batch").stream()
            .sorted(java.util.Comparator.comparingLong(SpoolFolder.ReadSpan::startNs))
            .map(SpoolFolder.ReadSpan::seconds)
            .toList();
    assertThat(batches).hasSameSizeAs(result.stepS());
    for (int i = 0; i < batches.size(); i++) {
      assertThat(result.stepS().get(i)).isCloseTo(batches.get(i), within(1e-6));
    }
    double sum = result.stepS().stream().mapToDouble(Double::doubleValue).sum();
    assertThat(result.wallS()).isEqualTo(sum);
    assertThat(result.isFinished()).isTrue();
  }

  /** Rejected groups are replaced, so there are more sessions than a step trains on. */
  @Test
  void asynchronousRunTrainsOnAcceptedGroupsOnly() throws IOException {
    RunResult result = Cluster.run(ASYNCHRONOUS, List.of(), folder);

    Map<String, Long> sessions =
        SpoolFolder.read(folder).spansNamed("session").stream()
            .collect(
                Collectors.groupingBy(span -> span.attribute("rl.status"), Collectors.counting()));
    assertThat(sessions.keySet()).containsExactlyInAnyOrder("accepted", "rejected", "cancelled");
    assertThat(sessions.get("accepted")).isGreaterThanOrEqualTo(7 * 8 * 4);
    assertThat(result.sessions()).isGreaterThan(7 * 8 * 4);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everySpanOfARunThatEndsIsClosedInsideItsParent(boolean synchronous) throws IOException {
    Cluster.run(synchronous ? SYNCHRONOUS : ASYNCHRONOUS, List.of(), folder);

    SpoolFolder read = SpoolFolder.read(folder);
    assertThat(read.openSpans()).isEmpty();
    // Hosts' clocks are apart by less than 3 ms.
    for (SpoolFolder.ReadSpan span : read.spans()) {
      if (span.parent() != null) {
        SpoolFolder.ReadSpan parent = read.span(span.parent());
        assertThat(span.startNs()).isGreaterThanOrEqualTo(parent.startNs() - 3_000_000);
        assertThat(span.endNs()).isLessThanOrEqualTo(parent.endNs() + 3_000_000);
      }
    }
  }

  @Test
  void engineWorksOnNoMoreThanItsSlots() throws IOException {
    ClusterSettings narrow = SYNCHRONOUS.withMachines(SYNCHRONOUS.machines().withSlots(3));
    Cluster.run(narrow, List.of(), folder);

    List<SpoolFolder.ReadSpan> calls =
        SpoolFolder.read(folder).spansNamed("engine.generate").stream()
            .filter(span -> span.process().equals("engine:0"))
            .toList();
    for (SpoolFolder.ReadSpan one : calls) {
      long at = one.endNs() - 1;
      assertThat(calls.stream().filter(call -> call.worksAt(at)).count()).isBetween(1L, 3L);
    }
  }

  /** New weights stop the engines, and calls in flight go on after. */
  @Test
  void nothingEndsWhileAnEngineTakesNewWeights() throws IOException {
    Cluster.run(ASYNCHRONOUS, List.of(), folder);

    SpoolFolder read = SpoolFolder.read(folder);
    List<SpoolFolder.ReadSpan> syncs =
        read.spansNamed("weight_sync").stream()
            .filter(span -> span.process().equals("engine:1"))
            .toList();
    assertThat(syncs).hasSize(7);
    assertThat(read.spansNamed("engine.generate"))
        .filteredOn(call -> call.process().equals("engine:1"))
        .noneMatch(call -> syncs.stream().anyMatch(sync -> sync.contains(call.endNs())));
  }

  @Test
  void neutralDisturbanceChangesNothing() throws IOException {
    Cluster.run(SYNCHRONOUS, List.of(), folder.resolve("without"));
    Cluster.run(SYNCHRONOUS, List.of(new Disturbance() {}), folder.resolve("with"));

    assertThat(SpoolFolder.contents(folder.resolve("with")))
        .isEqualTo(SpoolFolder.contents(folder.resolve("without")));
  }

  @Test
  void disturbanceOfAStepChangesNothingBefore() throws IOException {
    Disturbance slow =
        new Disturbance() {
          @Override
          public double tokenFactor(Moment at, int engine) {
            return at.step() >= 3 && engine == 1 ? 2 : 1;
          }
        };
    RunResult without = Cluster.run(SYNCHRONOUS, List.of(), folder.resolve("without"));
    RunResult with = Cluster.run(SYNCHRONOUS, List.of(slow), folder.resolve("with"));

    assertThat(with.stepS().subList(0, 3)).isEqualTo(without.stepS().subList(0, 3));
    assertThat(with.stepS().get(3)).isGreaterThan(without.stepS().get(3) * 1.2);
    assertThat(with.steps().get(slow)).isEqualTo(Set.of(3, 4, 5));
    Map<String, Long> tokens = tokens("without");
    assertThat(tokens("with")).as("it is slower, and generates the same").isEqualTo(tokens);
  }

  private Map<String, Long> tokens(String name) throws IOException {
    return SpoolFolder.read(folder.resolve(name)).spansNamed("engine.generate").stream()
        .collect(
            Collectors.toMap(
                span -> span.attribute("rl.session.id"),
                span -> Long.parseLong(span.attribute("gen_ai.usage.output_tokens")),
                Long::sum));
  }

  @Test
  void traceEndsWhenItIsObservedNoLonger() throws IOException {
    Disturbance hung =
        new Disturbance() {
          @Override
          public double hangS(Moment at, String stage, long task, int sample, int turn) {
            return stage.equals(Stages.JUDGE) && task == 20 && sample == 0 ? 1e6 : 0;
          }

          @Override
          public double observedS() {
            return 200;
          }
        };

    RunResult result = Cluster.run(SYNCHRONOUS, List.of(hung), folder);

    assertThat(result.isFinished()).isFalse();
    assertThat(result.stepS()).hasSize(2);
    assertThat(result.unfinishedS()).isGreaterThan(200);
    SpoolFolder read = SpoolFolder.read(folder);
    assertThat(read.openSpans()).extracting(SpoolFolder.ReadSpan::name).contains("judge");
    assertThat(read.ends()).isZero();
  }
}
