package io.rollscope.server.scrape.book;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** All targets, wherever they come from; tells others when there are new ones. */
public final class Targets {
  private final TargetBook book;
  private final TargetAdmission admission;
  private final TargetsFile file;
  private final PrometheusFiles prometheusFiles;
  private final PrometheusServer prometheus;
  private final Consumer<String> log;
  private final String bookProblem;
  private final Object sharing = new Object();
  private volatile Runnable listener = () -> {};
  private volatile String prometheusProblem;

  /**
   * @param file the operator's, or null
   * @param prometheusFiles for a Prometheus that shares the targets, or null
   * @param prometheus that one, to be asked to reload, or null
   * @param bookProblem why the book is empty, or null
   * @param log takes lines for the operator
   */
  public Targets(
      TargetBook book,
      TargetAdmission admission,
      TargetsFile file,
      PrometheusFiles prometheusFiles,
      PrometheusServer prometheus,
      String bookProblem,
      Consumer<String> log) {
    this.book = book;
    this.admission = admission;
    this.file = file;
    this.prometheusFiles = prometheusFiles;
    this.prometheus = prometheus;
    this.bookProblem = bookProblem;
    this.log = log;
  }

  /**
   * Begins: reads the targets file and writes what Prometheus watches.
   *
   * @param changed is called when {@link #active} may have changed
   */
  public void start(Runnable changed) {
    listener = changed;
    lookAtFile();
    share();
  }

  /** Reads the operator's file if it has changed. */
  public void lookAtFile() {
    if (file != null && file.look()) {
      String problem = file.problem();
      log.accept(
          problem == null
              ? "targets file: " + file.targets().size() + " targets"
              : "targets file: " + problem + "; what it said before holds");
      share();
    }
  }

  /** What is to be scraped. Who registers a target by the API has the last word on it. */
  public List<Target> active() {
    Map<Target.Key, Target> all = new LinkedHashMap<>();
    if (file != null) {
      file.targets().forEach(target -> all.put(target.key(), target));
    }
    book.active().forEach(target -> all.put(target.key(), target));
    return all.values().stream().limit(TargetBook.MOST_TARGETS).toList();
  }

  /** What is wrong now, for people. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    add(problems, bookProblem);
    add(problems, file == null ? null : file.problem());
    add(problems, prometheusProblem);
    return problems;
  }

  private static void add(List<String> problems, String problem) {
    if (problem != null) {
      problems.add(problem);
    }
  }

  /** Adds targets, or replaces what they are known by. */
  public void put(Collection<Target> targets) throws TargetException, IOException {
    admission.check(targets);
    book.put(targets);
    share();
  }

  /**
   * Removes targets. Returns how many.
   *
   * @param job null for whatever job
   */
  public int remove(TargetAddress address, String job) throws TargetException, IOException {
    int removed = book.remove(address, job);
    if (removed > 0) {
      share();
    } else if (file != null
        && file.targets().stream()
            .anyMatch(t -> t.address().equals(address) && (job == null || t.job().equals(job)))) {
      throw TargetException.wrong(
          "target", address + " is in the targets file", "one that was added; edit the file");
    }
    return removed;
  }

  /**
   * What became of a registration by an RL-Insight client.
   *
   * @param count targets of the experiment, or of the job if there is none
   */
  public record Registration(long count, boolean prometheusReloaded) {}

  /**
   * Registers targets of one job.
   *
   * @param experiment null for none
   */
  public Registration register(ExperimentId experiment, String job, Collection<Target> targets)
      throws TargetException, IOException {
    admission.check(targets);
    long count;
    if (experiment == null) {
      book.put(targets);
      count = book.countOf(job);
    } else {
      count = book.register(experiment, targets);
    }
    return new Registration(count, share());
  }

  /**
   * What became of archiving or restoring.
   *
   * @param converged whether Prometheus follows; null when there is none, or nothing changed
   */
  public record Change(TargetBook.Registered now, Boolean converged) {}

  public Change setArchived(ExperimentId id, boolean archived) throws TargetException, IOException {
    boolean changes = book.experiment(id).experiment().isArchived() != archived;
    TargetBook.Registered now = book.setArchived(id, archived);
    if (!changes) {
      return new Change(now, null);
    }
    share();
    boolean present = !archived && !now.targets().isEmpty();
    return new Change(now, prometheus == null ? null : prometheus.converges(id, present));
  }

  public List<TargetBook.Registered> experiments(String project) {
    return book.experiments(project);
  }

  public TargetBook.Registered experiment(ExperimentId id) throws TargetException {
    return book.experiment(id);
  }

  /** The port of the Prometheus that shares the targets, or null. */
  public Integer prometheusPort() {
    return prometheus == null ? null : prometheus.port();
  }

  /** Tells those who want to know. Returns whether a Prometheus has reloaded. */
  private boolean share() {
    listener.run();
    synchronized (sharing) {
      return prometheusFiles != null && shareWithPrometheus();
    }
  }

  private boolean shareWithPrometheus() {
    try {
      List<String> leftOut = prometheusFiles.write(active());
      if (prometheus != null) {
        prometheus.reload();
      }
      tellOfPrometheus(leftOut.isEmpty() ? null : leftOut(leftOut));
      return prometheus != null;
    } catch (IOException e) {
      tellOfPrometheus(e.getMessage() == null ? e.toString() : e.getMessage());
      return false;
    }
  }

  private static String leftOut(List<String> reasons) {
    return reasons.size() + " left out, the first for " + reasons.get(0);
  }

  /**
   * @param what is wrong, or null
   */
  private void tellOfPrometheus(String what) {
    String problem = what == null ? null : "Prometheus' targets: " + what;
    if (problem != null && !problem.equals(prometheusProblem)) {
      log.accept(problem);
    }
    prometheusProblem = problem;
  }
}
