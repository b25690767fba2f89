package io.rollscope.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.model.Event;
import io.rollscope.core.model.Outcome;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a medium run must show, so that every view of Rollscope has something to show. */
class FeaturesTest {
  private static RecordedRun run;

  @BeforeAll
  static void simulate() {
    run = RecordedRun.of(RecordedRun.medium());
  }

  @Test
  void engineErrorsAreFollowedByAnotherAttempt() {
    Map<String, Long> errors =
        count(run.ends(SpanNames.ENGINE).filter(end -> end.outcome() == Outcome.ERROR).toList());
    Map<String, Long> attempts = count(run.starts(SpanNames.ENGINE).toList());

    assertThat(errors).hasSizeGreaterThan(50);
    assertThat(errors)
        .allSatisfy((session, n) -> assertThat(attempts.get(session)).isGreaterThanOrEqualTo(n));
    assertThat(errors.keySet()).anyMatch(session -> attempts.get(session) > errors.get(session));
  }

  @Test
  void someSessionsFailForGood() {
    assertThat(run.ends(SpanNames.CONTROLLER))
        .anyMatch(end -> end.at().sourceStatus().equals("failed"));
  }

  @Test
  void judgesAndToolsFailNowAndThen() {
    assertThat(errors(SpanNames.JUDGE)).anyMatch(error -> error.startsWith("TimeoutError: judge"));
    assertThat(errors(SpanNames.JUDGE)).anyMatch(error -> error.startsWith("ValueError: "));
    assertThat(errors(SpanNames.TOOL_CALL)).isNotEmpty();
  }

  @Test
  void stragglersAreAbortedFromTheInsideOut() {
    List<Event.End> aborted =
        run.ends(SpanNames.PRODUCER_GROUP)
            .filter(end -> end.outcome() == Outcome.CANCELLED)
            .toList();

    assertThat(aborted).isNotEmpty();
    assertThat(aborted).allMatch(end -> end.at().sourceStatus().equals("aborted"));
    assertThat(aborted).allMatch(end -> end.error().startsWith("CancelledError: straggler of"));
    assertThat(run.ends(SpanNames.ENGINE)).anyMatch(end -> end.outcome() == Outcome.CANCELLED);
  }

  @Test
  void someGroupsAreFilteredWhole() {
    Map<String, Set<String>> byTask =
        run.ends(SpanNames.PUT_GROUP)
            .collect(
                Collectors.groupingBy(
                    end -> end.at().task(),
                    Collectors.mapping(end -> end.at().sourceStatus(), Collectors.toSet())));

    assertThat(byTask.values()).anyMatch(statuses -> statuses.contains("filtered"));
    assertThat(byTask.values())
        .noneMatch(statuses -> statuses.contains("filtered") && statuses.contains("completed"));
  }

  @Test
  void toolsAreCalledOverSeveralTurns() {
    assertThat(count(run.starts(SpanNames.TOOL_CALL).toList()).values()).anyMatch(n -> n >= 3);
    assertThat(count(run.starts(SpanNames.CONTROLLER).toList()).values()).anyMatch(n -> n >= 4);
  }

  @Test
  void generationHasAHeavyTail() {
    List<Long> durations = run.ends(SpanNames.ENGINE).map(Event.End::elapsedNs).sorted().toList();

    long median = durations.get(durations.size() / 2);
    assertThat(median).isBetween(1_000_000_000L, 8_000_000_000L);
    assertThat(durations.get(durations.size() - 1)).isGreaterThan(8 * median);
  }

  @Test
  void oneWorkerIsSlowAndGathersAQueue() {
    Map<Long, Double> secondsByRank =
        run.ends(SpanNames.ENGINE)
            .filter(end -> end.outcome() == Outcome.OK)
            .collect(
                Collectors.groupingBy(
                    end -> end.at().worker().rank(),
                    TreeMap::new,
                    Collectors.averagingDouble(end -> end.elapsedNs() / 1e9)));

    assertThat(secondsByRank).hasSize(6);
    double others =
        secondsByRank.values().stream()
            .limit(5)
            .mapToDouble(Double::doubleValue)
            .average()
            .orElseThrow();
    assertThat(secondsByRank.get(5L)).isGreaterThan(1.4 * others);
  }

  @Test
  void onlyWorkerAndEngineSayWhereTheyRan() {
    assertThat(run.events().filter(event -> event.at().worker().rank() != null))
        .isNotEmpty()
        .allMatch(
            event ->
                event.name().equals(SpanNames.WORKER) || event.name().equals(SpanNames.ENGINE));
  }

  @Test
  void generationRunsAheadOfTraining() {
    Set<Long> lags =
        run.events()
            .map(event -> event.at().trainStep() - event.at().modelStep())
            .collect(Collectors.toSet());

    assertThat(lags).containsExactlyInAnyOrder(1L, 2L);
    assertThat(run.events()).allMatch(event -> event.at().batch().contains("/model_step="));
  }

  @Test
  void synchronousRunIsNeverStale() {
    Settings settings = RecordedRun.medium();
    RecordedRun synchronous =
        RecordedRun.of(settings.withWorkload(settings.workload().withMaxStaleness(0)));

    assertThat(synchronous.events())
        .allMatch(event -> event.at().modelStep() == event.at().trainStep() - 1);
  }

  @Test
  void uidsAreCountedOrRandomBy128Bits() {
    Map<Boolean, List<BigInteger>> uids =
        run.ends(SpanNames.SAMPLE_GROUP)
            .map(end -> new BigInteger(end.session().substring(end.session().indexOf(':') + 1)))
            .collect(Collectors.partitioningBy(uid -> uid.bitLength() > 64));

    assertThat(uids.get(true)).isNotEmpty().allMatch(uid -> uid.bitLength() <= 128);
    assertThat(uids.get(false)).isNotEmpty().doesNotHaveDuplicates();
  }

  @Test
  void trainersWaitForEachOther() {
    Map<String, Set<Long>> endsOfPhase =
        run.training.stream()
            .filter(span -> span.step() != null && !span.name().equals("train.rollout"))
            .collect(
                Collectors.groupingBy(
                    span -> span.name() + span.step(),
                    Collectors.mapping(TrainingSpan::endNs, Collectors.toSet())));

    assertThat(endsOfPhase).hasSize(4 * 4).allSatisfy((phase, ends) -> assertThat(ends).hasSize(1));
    assertThat(run.training.stream().map(TrainingSpan::rank)).contains(0L, 1L);
    assertThat(run.training.stream().map(TrainingSpan::name))
        .contains(
            "train.rollout",
            "train.recompute_logp",
            "train.compute_advantage",
            "train.ppo_update",
            "train.update_weights");
  }

  @Test
  void nothingIsStartedOnAWorkerDuringWeightSync() {
    List<TrainingSpan> syncs =
        run.training.stream().filter(span -> span.name().equals("train.update_weights")).toList();

    assertThat(run.starts(SpanNames.WORKER))
        .noneMatch(
            start ->
                syncs.stream()
                    .anyMatch(
                        sync -> start.timeNs() > sync.startNs() && start.timeNs() < sync.endNs()));
  }

  private static List<String> errors(String name) {
    return run.ends(name)
        .filter(end -> end.outcome() == Outcome.ERROR)
        .map(Event.End::error)
        .toList();
  }

  private static Map<String, Long> count(List<? extends Event> events) {
    return events.stream().collect(Collectors.groupingBy(Event::session, Collectors.counting()));
  }
}
