package io.rollscope.simulator;

import io.rollscope.core.model.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A run that is kept in memory to be looked at. */
final class RecordedRun implements Sink {
  record Recorded(long pid, Event event) {}

  static final long START_NS = 1_781_000_000_000_000_000L;

  final List<Recorded> all = new ArrayList<>();
  final List<TrainingSpan> training = new ArrayList<>();

  /** Runs to the end. */
  static RecordedRun of(Settings settings) {
    RecordedRun run = new RecordedRun();
    Simulation simulation = new Simulation(settings, new Timeline(START_NS, 1), run);
    try {
      while (!simulation.isOver()) {
        simulation.advance();
      }
    } catch (IOException e) {
      throw new AssertionError("nothing is written", e);
    }
    return run;
  }

  /** Four steps of the demo run, with more that goes wrong. */
  static Settings medium() {
    Settings demo = Settings.demo();
    return demo.withWorkload(demo.workload().withBatches(4))
        .withMishaps(new Mishaps(150, 0.2, 0.05, 0.1, 0.2));
  }

  Stream<Event> events() {
    return all.stream().map(Recorded::event);
  }

  Stream<Event.Start> starts(String name) {
    return events()
        .filter(event -> event.name().equals(name))
        .filter(Event.Start.class::isInstance)
        .map(Event.Start.class::cast);
  }

  Stream<Event.End> ends(String name) {
    return events()
        .filter(event -> event.name().equals(name))
        .filter(Event.End.class::isInstance)
        .map(Event.End.class::cast);
  }

  /** Names of the spans that are open at the end, outermost first, of each session with any. */
  Map<String, List<String>> open() {
    Map<String, List<String>> open = new HashMap<>();
    events()
        .filter(event -> !event.name().equals(SpanNames.SAMPLE_GROUP))
        .forEach(
            event -> {
              List<String> spans = open.computeIfAbsent(event.session(), id -> new ArrayList<>());
              if (event instanceof Event.Start) {
                spans.add(event.name());
              } else {
                spans.remove(spans.size() - 1);
              }
            });
    open.values().removeIf(List::isEmpty);
    return open;
  }

  @Override
  public void session(long pid, Event event) {
    all.add(new Recorded(pid, event));
  }

  @Override
  public void training(TrainingSpan span) {
    training.add(span);
  }
}
