package io.rollscope.server.scrape.book;

import io.rollscope.store.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Targets and experiments that clients registered; survives a restart. One change at a time: on
 * disk first, then in memory. What cannot be written is not done.
 */
public final class TargetBook {
  /** So many targets are scraped at most. */
  public static final int MOST_TARGETS = 1_000;

  private static final int MOST_RECORDS = 10_000;

  private final BookFile file;
  private final LongSupplier clock;
  private State state;

  private record Place(ExperimentId experiment, Target.Key key) {}

  private record State(Map<Place, Target> targets, Map<String, Experiment> experiments) {
    State copy() {
      return new State(new LinkedHashMap<>(targets), new TreeMap<>(experiments));
    }

    boolean isActive(Target target) {
      return target.experiment() == null
          || !experiments.get(nameOf(target.experiment())).isArchived();
    }

    long countOf(ExperimentId id) {
      return targets.values().stream().filter(t -> id.equals(t.experiment())).count();
    }
  }

  /**
   * An experiment with its targets.
   *
   * @param targets in the order in which they came
   */
  public record Registered(Experiment experiment, List<Target> targets) {}

  private TargetBook(BookFile file, LongSupplier clock, State state) {
    this.file = file;
    this.clock = clock;
    this.state = state;
  }

  /**
   * Opens the book of a data folder.
   *
   * @param clock nanoseconds since the epoch
   * @param problems gets a line if the file had to be put aside
   */
  public static TargetBook open(Disk disk, Path data, LongSupplier clock, List<String> problems)
      throws IOException {
    BookFile file = new BookFile(disk, data);
    BookFile.Content content = file.read(clock.getAsLong(), problems);
    State state = new State(new LinkedHashMap<>(), new TreeMap<>());
    content.experiments().forEach(e -> state.experiments().put(nameOf(e.id()), e));
    for (Target target : content.targets()) {
      state.targets().put(placeOf(target), target);
      if (target.experiment() != null) {
        String now = now(clock);
        state
            .experiments()
            .computeIfAbsent(
                nameOf(target.experiment()),
                n -> new Experiment(target.experiment(), false, now, now));
      }
    }
    return new TargetBook(file, clock, state);
  }

  private static Place placeOf(Target target) {
    return new Place(target.experiment(), target.key());
  }

  private static String nameOf(ExperimentId id) {
    return id.project() + "\0" + id.experimentName();
  }

  private static String now(LongSupplier clock) {
    return Instant.ofEpochMilli(clock.getAsLong() / 1_000_000)
        .truncatedTo(ChronoUnit.SECONDS)
        .toString();
  }

  /** What is to be scraped: of an address that a job has twice, the newest. */
  public synchronized List<Target> active() {
    Map<Target.Key, Target> newest = new LinkedHashMap<>();
    for (Target target : state.targets().values()) {
      if (state.isActive(target)) {
        newest.merge(target.key(), target, (a, b) -> b.addedNs() >= a.addedNs() ? b : a);
      }
    }
    return List.copyOf(newest.values());
  }

  /** Adds targets, or replaces what they are known by. */
  public synchronized void put(Collection<Target> targets) throws TargetException, IOException {
    State next = state.copy();
    for (Target target : targets) {
      next.targets().put(placeOf(target), target);
    }
    keep(next);
  }

  /** Registers targets of an experiment, which need not be known. Returns how many it has now. */
  public synchronized long register(ExperimentId id, Collection<Target> targets)
      throws TargetException, IOException {
    String now = now(clock);
    Experiment known = state.experiments().get(nameOf(id));
    if (known != null && known.isArchived()) {
      throw TargetException.archived(id);
    }
    State next = state.copy();
    next.experiments()
        .put(nameOf(id), known == null ? new Experiment(id, false, now, now) : known.touched(now));
    for (Target target : targets) {
      next.targets().put(placeOf(target), target);
    }
    keep(next);
    return next.countOf(id);
  }

  /** How many targets without an experiment a job has. */
  public synchronized long countOf(String job) {
    return state.targets().values().stream()
        .filter(t -> t.experiment() == null && t.job().equals(job))
        .count();
  }

  /**
   * Removes targets, and experiments that have none then. Returns how many targets.
   *
   * @param job null for whatever job
   */
  public synchronized int remove(TargetAddress address, String job) throws IOException {
    State next = state.copy();
    next.targets()
        .values()
        .removeIf(
            t -> t.address().text().equals(address.text()) && (job == null || t.job().equals(job)));
    int removed = state.targets().size() - next.targets().size();
    if (removed > 0) {
      next.experiments().values().removeIf(e -> next.countOf(e.id()) == 0);
      write(next);
    }
    return removed;
  }

  /**
   * Experiments by name.
   *
   * @param project null for all
   */
  public synchronized List<Registered> experiments(String project) {
    return state.experiments().values().stream()
        .filter(e -> project == null || e.id().project().equals(project))
        .map(this::registered)
        .toList();
  }

  public synchronized Registered experiment(ExperimentId id) throws TargetException {
    return registered(known(id));
  }

  /**
   * Stops the scraping of an experiment's targets, or begins it again; repeating it is no error.
   */
  public synchronized Registered setArchived(ExperimentId id, boolean archived)
      throws TargetException, IOException {
    Experiment known = known(id);
    if (known.isArchived() != archived) {
      State next = state.copy();
      next.experiments().put(nameOf(id), known.archived(archived, now(clock)));
      keep(next);
    }
    return experiment(id);
  }

  private Experiment known(ExperimentId id) throws TargetException {
    Experiment known = state.experiments().get(nameOf(id));
    if (known == null) {
      throw TargetException.unknown(
          "experiment", id, "one that /api/v1/experiments lists; registering a target makes one");
    }
    return known;
  }

  private Registered registered(Experiment experiment) {
    return new Registered(
        experiment,
        state.targets().values().stream()
            .filter(t -> experiment.id().equals(t.experiment()))
            .toList());
  }

  private void keep(State next) throws TargetException, IOException {
    long active = next.targets().values().stream().filter(next::isActive).count();
    if (active > MOST_TARGETS) {
      throw TargetException.wrong(
          "targets", active, "at most " + MOST_TARGETS + "; remove some, or archive an experiment");
    }
    if (next.targets().size() + next.experiments().size() > MOST_RECORDS) {
      throw TargetException.wrong(
          "targets and experiments", "more than " + MOST_RECORDS, "fewer; remove some targets");
    }
    write(next);
  }

  private void write(State next) throws IOException {
    file.write(
        new BookFile.Content(
            new ArrayList<>(next.targets().values()),
            new ArrayList<>(next.experiments().values())));
    state = next;
  }
}
