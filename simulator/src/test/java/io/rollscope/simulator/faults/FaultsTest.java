package io.rollscope.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rollscope.simulator.cluster.Cluster;
import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Dataset;
import io.rollscope.simulator.cluster.RunResult;
import io.rollscope.simulator.cluster.SpoolFolder;
import io.rollscope.simulator.cluster.SpoolFolder.ReadSpan;
import io.rollscope.simulator.cluster.Stages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each fault does to a run, as its trace shows it. */
class FaultsTest {
  private static final ClusterSettings QUESTIONS = ClusterSettings.synchronous(21);
  private static final ClusterSettings TOOLS =
      QUESTIONS.withWork(
          QUESTIONS
              .work()
              .withDatasets(
                  Dataset.toolTasks("code", "sandbox"), Dataset.toolTasks("search", "web")));
  private static final ClusterSettings ASYNCHRONOUS = ClusterSettings.asynchronous(23);

  @TempDir Path folder;

  @Test
  void hungCallIsTheOneThatIsExpectedAndItsSiblingsWait() throws IOException {
    SpoolFolder run = run(TOOLS, HungCall.open(TOOLS, Stages.TOOL, 3, 300));

    String session = HungCall.open(TOOLS, Stages.TOOL, 3, 300).expected(TOOLS).id();
    List<ReadSpan> calls =
        run.openSpans().stream().filter(span -> span.name().equals(Stages.TOOL)).toList();
    assertThat(calls).hasSize(1);
    List<String> open =
        run.openSpans().stream()
            .filter(span -> span.name().equals("session"))
            .map(span -> span.attribute("rl.session.id"))
            .toList();
    assertThat(open).hasSize(4).contains(session);
  }

  @Test
  void hungEngineBeatsOnAndEndsNoCall() throws IOException {
    SpoolFolder run = run(QUESTIONS, new HungEngine(1, 3, 5, HungCall.FOR_EVER_S, 240));

    List<ReadSpan> open = open(run, Stages.ENGINE);
    assertThat(open).isNotEmpty().allMatch(span -> span.process().equals("engine:1"));
    long hungAt = open.stream().mapToLong(ReadSpan::startNs).max().orElseThrow();
    assertThat(run.lastBeatNs("engine:1")).isGreaterThan(hungAt + 200_000_000_000L);
  }

  @Test
  void deadProcessIsSilentWithOpenWork() throws IOException {
    SpoolFolder run = run(QUESTIONS, new DeadProcess("agent", 1, 3, 7, HungCall.FOR_EVER_S, 240));

    assertThat(run.lastBeatNs("agent:1")).isLessThan(run.lastBeatNs("agent:0") - 200_000_000_000L);
    assertThat(open(run, "session"))
        .hasSize(3 * 4)
        .allMatch(span -> span.process().equals("agent:1"));
  }

  @Test
  void restartedAgentBeginsItsSessionsAnew() throws IOException {
    SpoolFolder run =
        run(QUESTIONS, new DeadProcess("agent", 1, 3, 7, 60, Double.POSITIVE_INFINITY));

    assertThat(run.spansNamed("session"))
        .filteredOn(span -> span.attribute("rl.session.id").endsWith("r1"))
        .hasSize(3 * 4);
    assertThat(run.spansNamed("train.forward_backward")).hasSize(6 * 2);
  }

  /** Calls of an engine that is started again are repeated by the sessions that waited. */
  @Test
  void callsOfARestartedEngineFailAndAreRepeated() throws IOException {
    SpoolFolder run =
        run(QUESTIONS, new DeadProcess("engine", 0, 3, 7, 90, Double.POSITIVE_INFINITY));

    long failed =
        run.spansNamed(Stages.GENERATE).stream()
            .filter(span -> "ConnectionError".equals(span.attribute("error.type")))
            .count();
    assertThat(failed).isPositive();
    assertThat(run.spansNamed(Stages.GENERATE))
        .filteredOn(span -> "2".equals(span.attribute("rl.attempt")))
        .hasSize((int) failed);
  }

  @Test
  void stalledSyncKeepsAllEngines() throws IOException {
    SpoolFolder run = run(QUESTIONS, new StalledSync(3, HungCall.FOR_EVER_S, 240));

    int engines = QUESTIONS.machines().engines();
    assertThat(open(run, Stages.SYNC)).hasSize(engines + 2);
  }

  @Test
  void slowEngineTakesLongerForEachTokenFromItsStepOn() throws IOException {
    SpoolFolder run = run(QUESTIONS, new SlowEngine(1, 3, Steps.from(2)));

    double before = tokenS(run, span -> isOf(span, "engine:1") && step(run, span) == 1);
    double after = tokenS(run, span -> isOf(span, "engine:1") && step(run, span) > 2);
    double others = tokenS(run, span -> isOf(span, "engine:2") && step(run, span) > 2);
    assertThat(after / before).isCloseTo(3, within(0.2));
    assertThat(after / others).isCloseTo(3, within(0.3));
  }

  @Test
  void slowServiceTakesLongerForEverybody() throws IOException {
    SpoolFolder without = run(TOOLS);
    SpoolFolder with = run(TOOLS, new SlowService(Stages.TOOL, 4, Steps.from(0)));

    assertThat(seconds(with, Stages.TOOL) / seconds(without, Stages.TOOL))
        .isCloseTo(4, within(0.001));
  }

  @Test
  void failingServiceFailsAsOftenAsAskedAndTimesOut() throws IOException {
    SpoolFolder run = run(QUESTIONS, new FailingService(Stages.JUDGE, 0.4, 20, Steps.from(0)));

    List<ReadSpan> judged = run.spansNamed(Stages.JUDGE);
    List<ReadSpan> failed =
        judged.stream().filter(span -> span.attribute("error.type") != null).toList();
    assertThat((double) failed.size() / judged.size()).isCloseTo(0.41, within(0.08));
    assertThat(failed).allMatch(span -> span.seconds() >= 20);
  }

  @Test
  void retryStormRepeatsWithoutErrors() throws IOException {
    SpoolFolder run = run(QUESTIONS, new RetryStorm(0.5, Steps.from(3)));

    List<ReadSpan> calls = run.spansNamed(Stages.GENERATE);
    assertThat(calls)
        .hasSizeGreaterThan(270)
        .noneMatch(span -> span.attribute("error.type") != null);
  }

  @Test
  void longTailIsLongerByTokensOnly() throws IOException {
    SpoolFolder run = run(QUESTIONS, new LongTail(9, 10, Steps.from(2)));

    List<ReadSpan> calls = run.spansNamed(Stages.ENGINE);
    assertThat(calls.stream().filter(span -> tokens(span) > 2_000)).hasSize(4);
    double usual = tokenS(run, span -> tokens(span) <= 2_000 && step(run, span) > 1);
    double longOnes = tokenS(run, span -> tokens(span) > 2_000);
    assertThat(longOnes / usual).isCloseTo(1, within(0.15));
  }

  @Test
  void giantInputsAreOfOneDataset() throws IOException {
    String giant = TOOLS.work().datasets().get(0).name();
    SpoolFolder run = run(TOOLS, new GiantInputs(giant, 1, 80, Steps.from(2)));

    assertThat(run.spansNamed(Stages.ENGINE))
        .filteredOn(span -> Long.parseLong(span.attribute("gen_ai.usage.input_tokens")) > 10_000)
        .isNotEmpty()
        .allMatch(span -> span.attribute("rl.session.id").startsWith(giant));
  }

  @Test
  void slowSyncGrows() throws IOException {
    SpoolFolder run = run(QUESTIONS, new SlowSync(3, 2, Steps.from(2)));

    List<Double> syncs =
        run.spansNamed(Stages.SYNC).stream()
            .filter(span -> isOf(span, "trainer:0"))
            .map(ReadSpan::seconds)
            .toList();
    assertThat(syncs).hasSize(6);
    assertThat(syncs.get(5) / syncs.get(1)).isCloseTo(9, within(1.5));
  }

  @Test
  void saturatedEngineLetsRequestsWait() throws IOException {
    SpoolFolder run = run(QUESTIONS, new SaturatedEngines(1, 0.2, Steps.from(2)));

    assertThat(queueS(run, "engine:1")).isGreaterThan(5);
    assertThat(queueS(run, "engine:0")).isLessThan(0.1);
  }

  @Test
  void unbalancedLoadGoesToOneEngine() throws IOException {
    SpoolFolder run = run(QUESTIONS, new UnbalancedLoad(0, 0.8, Steps.from(0), 1));

    long all = run.spansNamed(Stages.ENGINE).size();
    long one = run.spansNamed(Stages.ENGINE).stream().filter(s -> isOf(s, "engine:0")).count();
    assertThat((double) one / all).isGreaterThan(0.75);
  }

  @Test
  void sessionsOfStaleWeightsAreDropped() throws IOException {
    SpoolFolder run = run(ASYNCHRONOUS, new StaleWeights(1, Steps.from(0)));

    assertThat(run.spansNamed("session"))
        .filteredOn(span -> span.attribute("rl.status").equals("dropped"))
        .isNotEmpty()
        .allMatch(span -> span.attribute("rl.reason").startsWith("stale: policy lag"))
        .allMatch(span -> span.attribute("rl.policy.version.first").equals("0"));
  }

  @Test
  void risingRejectsCostMoreSessions() throws IOException {
    RunResult without = Cluster.run(ASYNCHRONOUS, List.of(), null);
    RunResult with =
        Cluster.run(ASYNCHRONOUS, List.of(new RisingRejects(0.5, Steps.from(2))), null);

    assertThat(with.sessions()).isGreaterThan(without.sessions() + 50);
  }

  @Test
  void skewedClockShiftsAHostAndNothingElse() throws IOException {
    String host = Cluster.host(TOOLS, "engine", 2);
    SpoolFolder without = run(TOOLS);
    SpoolFolder with = run(TOOLS, new SkewedClock(host, 4));

    for (int rank = 0; rank < TOOLS.machines().engines(); rank++) {
      String process = "engine:" + rank;
      long shift = Cluster.host(TOOLS, "engine", rank).equals(host) ? 4_000_000_000L : 0;
      assertThat(with.lastBeatNs(process) - without.lastBeatNs(process)).isEqualTo(shift);
    }
    assertThat(with.lastBeatNs("agent:0")).isEqualTo(without.lastBeatNs("agent:0"));
  }

  @Test
  void lostSpansAreCountedByTheirProcess() throws IOException {
    SpoolFolder without = run(TOOLS);
    SpoolFolder with = run(TOOLS, new LostSpans("engine", 0, 0.4, Steps.from(2)));

    assertThat(with.dropped("engine:0")).isPositive();
    assertThat(with.dropped("engine:1")).isZero();
    assertThat(without.spans().size() - with.spans().size())
        .isCloseTo((int) with.dropped("engine:0"), within(10));
  }

  @Test
  void runWithEnoughEnginesAndShortTrainingIsShorter() throws IOException {
    ClusterSettings few = ASYNCHRONOUS.withMachines(ASYNCHRONOUS.machines().withEngines(1));
    Truth truth = TruthFinder.find(run("few", few, new TooFewEngines(4)), null);
    assertThat(truth.expected().get(0).wallS()).isGreaterThan(200);
    assertThat(truth.expected().get(0).steps()).containsExactly(0, 1, 2, 3, 4, 5, 6);

    ClusterSettings slow = ASYNCHRONOUS.withSpeeds(ASYNCHRONOUS.speeds().withTrainS(120));
    truth = TruthFinder.find(run("slow", slow, new SlowTraining(25)), null);
    assertThat(truth.expected().get(0).wallS()).isGreaterThan(500);
  }

  private static FaultyRun run(String name, ClusterSettings settings, Fault fault) {
    return new FaultyRun(name, settings, List.of(fault), List.of());
  }

  private int runs;

  private SpoolFolder run(ClusterSettings settings, Fault... faults) throws IOException {
    Path own = folder.resolve("run-" + runs++);
    Cluster.run(settings, List.of(faults), own);
    return SpoolFolder.read(own);
  }

  private static List<ReadSpan> open(SpoolFolder run, String name) {
    return run.openSpans().stream().filter(span -> span.name().equals(name)).toList();
  }

  private static boolean isOf(ReadSpan span, String process) {
    return span.process().equals(process);
  }

  /** The step that trained when a call began. */
  private static int step(SpoolFolder run, ReadSpan call) {
    return (int)
        run.spansNamed(Stages.SYNC).stream()
            .filter(sync -> isOf(sync, "trainer:0") && sync.endNs() < call.startNs() + 10_000_000)
            .count();
  }

  private static long tokens(ReadSpan span) {
    return Long.parseLong(span.attribute("gen_ai.usage.output_tokens"));
  }

  private static double tokenS(SpoolFolder run, Predicate<ReadSpan> which) {
    return run.spansNamed(Stages.ENGINE).stream()
        .filter(which)
        .mapToDouble(span -> span.seconds() / tokens(span))
        .average()
        .orElseThrow();
  }

  private static double seconds(SpoolFolder run, String name) {
    return run.spansNamed(name).stream().mapToDouble(ReadSpan::seconds).sum();
  }

  private static double queueS(SpoolFolder run, String engine) {
    return run.spansNamed(Stages.ENGINE).stream()
        .filter(span -> isOf(span, engine))
        .mapToDouble(span -> Double.parseDouble(span.attribute("gen_ai.latency.time_in_queue")))
        .average()
        .orElseThrow();
  }
}
