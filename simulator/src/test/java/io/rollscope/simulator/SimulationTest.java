package io.rollscope.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.model.Event;
import io.rollscope.core.model.Outcome;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SimulationTest {

  @Test
  void sameSeedGivesTheSameRun() {
    RecordedRun first = RecordedRun.of(RecordedRun.medium());
    RecordedRun second = RecordedRun.of(RecordedRun.medium());

    assertThat(second.all).isEqualTo(first.all);
    assertThat(second.training).isEqualTo(first.training);
  }

  @Test
  void anotherSeedGivesAnotherRun() {
    RecordedRun first = RecordedRun.of(RecordedRun.medium());
    RecordedRun second = RecordedRun.of(RecordedRun.medium().withSeed(2));

    assertThat(second.all).isNotEqualTo(first.all);
  }

  @Test
  void spansNestAsInXTuner() {
    Map<String, String> parents =
        Map.of(
            SpanNames.AGENT_GROUP, SpanNames.PRODUCER_GROUP,
            SpanNames.AGENT_SAMPLE, SpanNames.AGENT_GROUP,
            SpanNames.CONTROLLER, SpanNames.AGENT_SAMPLE,
            SpanNames.TOOL_CALL, SpanNames.AGENT_SAMPLE,
            SpanNames.JUDGE, SpanNames.AGENT_SAMPLE,
            SpanNames.WORKER, SpanNames.CONTROLLER,
            SpanNames.ENGINE, SpanNames.WORKER);
    Map<String, Deque<String>> open = new HashMap<>();
    Set<String> seen = new HashSet<>();

    RecordedRun.of(RecordedRun.medium())
        .events()
        .filter(event -> !event.name().equals(SpanNames.SAMPLE_GROUP))
        .forEach(
            event -> {
              Deque<String> spans =
                  open.computeIfAbsent(event.session(), session -> new ArrayDeque<>());
              if (event instanceof Event.Start) {
                assertThat(spans.peek()).isEqualTo(parents.get(event.name()));
                spans.push(event.name());
                seen.add(event.name());
              } else {
                assertThat(spans.pop()).isEqualTo(event.name());
              }
            });

    assertThat(seen).containsAll(parents.keySet()).contains(SpanNames.PUT_GROUP);
  }

  @Test
  void timeOnlyGoesForwardInEveryProcessAndEverySession() {
    Map<Object, Long> last = new HashMap<>();

    for (RecordedRun.Recorded recorded : RecordedRun.of(RecordedRun.medium()).all) {
      Event event = recorded.event();
      for (Object place : List.of(recorded.pid(), event.session())) {
        Long before = last.put(place, event.timeNs());
        assertThat(event.timeNs()).isGreaterThan(before == null ? 0 : before);
      }
    }

    assertThat(last).containsKeys(9871L, 10412L, 10533L, 10534L);
  }

  @Test
  void elapsedTimeIsThatBetweenStartAndEnd() {
    Map<String, Deque<Long>> open = new HashMap<>();

    RecordedRun.of(RecordedRun.medium())
        .events()
        .filter(event -> !event.name().equals(SpanNames.SAMPLE_GROUP))
        .forEach(
            event -> {
              Deque<Long> starts = open.computeIfAbsent(event.session(), id -> new ArrayDeque<>());
              if (event instanceof Event.End end) {
                assertThat(end.elapsedNs()).isEqualTo(end.timeNs() - starts.pop());
              } else {
                starts.push(event.timeNs());
              }
            });
  }

  @Test
  void samplingIsOnlySeenWhenItIsOver() {
    RecordedRun run = RecordedRun.of(RecordedRun.medium());

    assertThat(run.starts(SpanNames.SAMPLE_GROUP)).isEmpty();
    assertThat(run.ends(SpanNames.SAMPLE_GROUP)).allMatch(end -> end.elapsedNs() > 0);
  }

  /** A tool that never answers: nothing in the files says so but the missing end. */
  @Test
  void whatHangsStaysOpen() {
    Map<String, List<String>> open = RecordedRun.of(RecordedRun.medium()).open();

    List<String> groupOnly = List.of(SpanNames.PRODUCER_GROUP, SpanNames.AGENT_GROUP);
    List<List<String>> hung =
        open.values().stream().filter(spans -> !spans.equals(groupOnly)).toList();
    assertThat(hung).hasSizeGreaterThanOrEqualTo(4).allMatch(spans -> spans.size() >= 3);
    assertThat(hung)
        .extracting(spans -> spans.get(spans.size() - 1))
        .contains(SpanNames.ENGINE, SpanNames.JUDGE);
    assertThat(open).as("each waits with its siblings").hasSize(hung.size() * 8);
  }

  @Test
  void firstHangComesEarlyInADemo() {
    Settings demo = Settings.demo();
    Settings oneBatch = demo.withWorkload(demo.workload().withBatches(1));

    assertThat(RecordedRun.of(oneBatch).open()).isNotEmpty();
  }

  @Test
  void someTasksAreSampledAndNeverStarted() {
    RecordedRun run = RecordedRun.of(RecordedRun.medium());

    Set<String> sampled = sessions(run.ends(SpanNames.SAMPLE_GROUP).toList());
    sampled.removeAll(sessions(run.starts(SpanNames.PRODUCER_GROUP).toList()));
    assertThat(sampled).hasSize(16);
  }

  @Test
  void runWithoutMishapsEndsWell() {
    Settings settings =
        RecordedRun.medium()
            .withMishaps(new Mishaps(0, 0, 0, 0, 0))
            .withDurations(Settings.demo().durations().withGraceS(10_000));
    RecordedRun run = RecordedRun.of(settings);

    assertThat(run.open()).isEmpty();
    assertThat(run.events().filter(Event.End.class::isInstance).map(Event.End.class::cast))
        .allMatch(end -> end.outcome() == Outcome.OK);
    assertThat(run.ends(SpanNames.PUT_GROUP))
        .hasSize(4 * 32 * 8)
        .allMatch(end -> end.at().sourceStatus().equals("completed"));
  }

  @Test
  void sessionsInFlightAndAgendaStayWithinBounds() throws IOException {
    Settings settings = RecordedRun.medium();
    Simulation simulation = new Simulation(settings, new Timeline(0, 1), new RecordedRun());
    int mostInFlight = 0;
    while (!simulation.isOver()) {
      simulation.advance();
      mostInFlight = Math.max(mostInFlight, simulation.inFlight());
      assertThat(simulation.pending()).isLessThan(4 * settings.workload().maxInFlight());
    }

    assertThat(mostInFlight).isEqualTo(settings.workload().maxInFlight());
    assertThat(simulation.inFlight()).isZero();
  }

  /** Whatever the shape of a run, it comes to an end and all that does not hang is closed. */
  @Property(tries = 200)
  void everyRunEnds(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 3) int batches,
      @ForAll @IntRange(min = 1, max = 12) int tasks,
      @ForAll @IntRange(min = 1, max = 4) int samples,
      @ForAll @IntRange(min = 4, max = 20) int inFlight,
      @ForAll @IntRange(min = 0, max = 3) int staleness,
      @ForAll @IntRange(min = 0, max = 10) int hangEvery) {
    Settings settings =
        Settings.demo()
            .withSeed(seed)
            .withWorkload(new Workload(batches, tasks, samples, inFlight, staleness))
            .withFleet(Settings.demo().fleet().withWorkers(2).withSlotsPerWorker(2))
            .withMishaps(new Mishaps(hangEvery, 0.3, 0.1, 0.2, 0.3));

    RecordedRun run = RecordedRun.of(settings);

    Set<Long> steps = run.training.stream().map(TrainingSpan::step).collect(Collectors.toSet());
    assertThat(steps).contains(0L, batches - 1L);
    if (hangEvery == 0) {
      assertThat(run.open()).isEmpty();
    }
  }

  private static Set<String> sessions(List<? extends Event> events) {
    return events.stream().map(Event::session).collect(Collectors.toCollection(HashSet::new));
  }
}
