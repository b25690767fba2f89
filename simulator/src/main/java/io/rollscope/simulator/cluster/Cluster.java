package io.rollscope.simulator.cluster;

import io.rollscope.simulator.Agenda;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/** One simulated run: its clock, its processes and what they share. */
public final class Cluster {
  private static final double BEAT_EVERY_S = 10;

  /** A run that gets nowhere for a day of virtual time is a fault of the simulator. */
  private static final double LONGEST_S = 86_400;

  private static final double GOODBYE_S = 0.2;

  private final ClusterSettings settings;
  private final Agenda agenda = new Agenda();
  private final Draws draws;
  private final Disturbances disturbances;
  private final Spool spool;
  private final Processes processes;
  private final List<Engine> engines = new ArrayList<>();
  private final List<AgentProcess> agents = new ArrayList<>();
  private final JudgeService judge;
  private final Trainer trainer;
  private final Dispatcher dispatcher;
  private final List<Double> stepS = new ArrayList<>();
  private int step;
  private int version;
  private long stepStartNs;
  private boolean isOver;

  private Cluster(ClusterSettings settings, List<? extends Disturbance> disturbing, Path folder)
      throws IOException {
    this.settings = settings;
    draws = new Draws(settings.seed());
    disturbances =
        new Disturbances(List.copyOf(disturbing), () -> new Moment(step, agenda.nowNs() / 1e9));
    spool = new Spool(folder);
    processes = new Processes(draws, disturbances, spool);
    for (int rank = 0; rank < settings.machines().engines(); rank++) {
      engines.add(new Engine(this, rank));
    }
    for (int rank = 0; rank < settings.machines().agents(); rank++) {
      agents.add(new AgentProcess(this, rank));
    }
    judge = new JudgeService(this);
    trainer = new Trainer(this);
    dispatcher = new Dispatcher(this);
  }

  /**
   * Runs to the end of the run, or of the trace.
   *
   * @param folder what is written to, or null: only the result is asked for
   */
  public static RunResult run(
      ClusterSettings settings, List<? extends Disturbance> disturbing, Path folder)
      throws IOException {
    Cluster cluster = new Cluster(settings, disturbing, folder);
    cluster.beginStep();
    cluster.beat();
    return cluster.play();
  }

  /** The host that a process is on. */
  public static String host(ClusterSettings settings, String role, int rank) {
    return new Processes(new Draws(settings.seed()), new Disturbances(List.of(), null), null)
        .host(role, rank);
  }

  private RunResult play() throws IOException {
    while (!isOver) {
      double nextS = agenda.nextNs() / 1e9;
      if (nextS > LONGEST_S && disturbances.endS() > LONGEST_S) {
        throw new IllegalStateException("step " + step + " does not end");
      }
      if (nextS > disturbances.endS()) {
        return cut();
      }
      agenda.runNext();
    }
    return result(0);
  }

  private RunResult cut() throws IOException {
    for (ProcessLog log : processes.all()) {
      log.cut();
    }
    return result(disturbances.endS() - stepStartNs / 1e9);
  }

  private RunResult result(double unfinishedS) {
    Map<Disturbance, SortedSet<Integer>> steps = new HashMap<>();
    for (Disturbance one : disturbances.all()) {
      steps.put(one, disturbances.stepsOf(one));
    }
    return new RunResult(
        List.copyOf(stepS), unfinishedS, Map.copyOf(steps), spool.sessions(), spool.spans());
  }

  // ---- what disturbances do ---------------------------------------------------------------------

  /** Counts a disturbance as present now. */
  public void note(Disturbance one) {
    disturbances.note(one);
  }

  /** Does something in a while. */
  public void after(double seconds, Agenda.Step what) {
    agenda.after(seconds, what);
  }

  /** All calls of an engine stop moving for so long. */
  public void hangEngine(int rank, double seconds) {
    engines.get(rank).hang(seconds);
  }

  /** A process ends without a word, and is started again in a while. */
  public void kill(String role, int rank, double restartS) throws IOException {
    if (role.equals("engine")) {
      engines.get(rank).die(restartS);
    } else {
      agents.get(rank).die(restartS);
    }
  }

  // ---- what its parts share ---------------------------------------------------------------------

  ClusterSettings settings() {
    return settings;
  }

  Draws draws() {
    return draws;
  }

  Disturbances disturbances() {
    return disturbances;
  }

  Processes processes() {
    return processes;
  }

  List<Engine> engines() {
    return engines;
  }

  JudgeService judge() {
    return judge;
  }

  Trainer trainer() {
    return trainer;
  }

  long nowNs() {
    return agenda.nowNs();
  }

  void at(long timeNs, Agenda.Step what) {
    agenda.at(timeNs, what);
  }

  int step() {
    return step;
  }

  /** Steps trained, and so the version of the policy. */
  int version() {
    return version;
  }

  /** How many times longer things take now because caches are cold. */
  double warmUp() {
    return step == 0 ? settings.speeds().warmUp() : 1;
  }

  AgentProcess agent(long task) {
    return agents.get((int) Math.floorMod(task, (long) agents.size()));
  }

  /** Sessions are dealt out evenly; where each dataset has its engines, among those. */
  Engine engine(long task, int sample, Dataset dataset) {
    int count = engines.size();
    long dealt = task * settings.work().samplesPerTask() + sample;
    int first = draws.below(count, "round", Math.floorDiv(dealt, count));
    int usual = (int) Math.floorMod(dealt + first, (long) count);
    int kinds = settings.work().datasets().size();
    if (settings.habits().engineOfDataset() && kinds > 1) {
      int kind = Math.max(0, settings.work().datasets().indexOf(dataset));
      usual = kind == 0 ? 0 : 1 + (int) Math.floorMod(dealt, (long) count - 1);
    }
    return engines.get(disturbances.engine(task, sample, usual));
  }

  String traceId(String what, long key, long number) {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(draws.hash("trace " + what, key, number))
        + hex.toHexDigits(draws.hash("trace' " + what, key, number));
  }

  String spanId(String what, long key, long number) {
    return HexFormat.of().toHexDigits(draws.hash("span " + what, key, number));
  }

  /** Begins a state of a process. */
  Span state(ProcessLog log, String name, int ofStep) throws IOException {
    String lane = log.identity().role() + "_" + log.identity().rank();
    Attributes about =
        Attributes.of(
            "rl.kind", "state", "rl.lane", lane, "rl.state", name, "rl.train_step", ofStep);
    long key = (long) lane.hashCode() << 20 | ofStep;
    return log.start(
        new Span(traceId(name, key, 0), spanId(name, key, 0), null, name, about, nowNs()));
  }

  /** Ends a span, unless its process drops it. */
  void end(ProcessLog log, Span span) throws IOException {
    double dropped = disturbances.dropShare(log.identity().role(), log.identity().rank());
    boolean isCall = span.parent != null;
    if (isCall && draws.hits(dropped, "drop", span.id.hashCode(), span.startNs)) {
      log.drop(span);
    } else {
      log.end(span, nowNs());
    }
  }

  // ---- steps -----------------------------------------------------------------------------------

  private void beginStep() throws IOException {
    stepStartNs = nowNs();
    for (Disturbance one : disturbances.all()) {
      one.stepBegins(this, step);
    }
    trainer.await(step);
    dispatcher.need(step);
  }

  void stepIsOver(int over, List<Group> groups) throws IOException {
    version++;
    trainer.measure(over, (nowNs() - stepStartNs) / 1e9, groups);
    int every = settings.habits().evaluateEvery();
    if (every > 0 && over % every == every - 1) {
      trainer.evaluate(over);
      dispatcher.evaluate(
          over,
          () -> {
            trainer.evaluated();
            nextStep();
          });
    } else {
      nextStep();
    }
  }

  private void nextStep() throws IOException {
    stepS.add((nowNs() - stepStartNs) / 1e9);
    if (stepS.size() == settings.work().steps()) {
      finish();
    } else {
      step++;
      beginStep();
    }
  }

  private void finish() throws IOException {
    String why = "run finished";
    for (AgentProcess agent : agents) {
      agent.abort(why);
    }
    for (Engine engine : engines) {
      engine.abort(why);
    }
    trainer.abort();
    after(
        GOODBYE_S,
        () -> {
          for (ProcessLog log : processes.all()) {
            log.finish(nowNs());
          }
          isOver = true;
        });
  }

  private void beat() throws IOException {
    for (ProcessLog log : processes.all()) {
      log.beat(nowNs());
    }
    for (Engine engine : engines) {
      engine.measure();
    }
    after(BEAT_EVERY_S, this::beat);
  }
}
