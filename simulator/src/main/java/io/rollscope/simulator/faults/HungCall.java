package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Moment;
import io.rollscope.simulator.cluster.Stages;

/** One call gets no answer: a sandbox that waits for input, a reply that was lost. */
public final class HungCall implements Fault {
  /** Longer than any trace. */
  static final double FOR_EVER_S = 1e6;

  private static final int SAMPLE = 1;

  private final String stage;
  private final long task;
  private final double seconds;
  private final double observedS;

  private HungCall(String stage, long task, double seconds, double observedS) {
    this.stage = stage;
    this.task = task;
    this.seconds = seconds;
    this.observedS = observedS;
  }

  /** It is seen while it goes on. */
  static HungCall open(ClusterSettings settings, String stage, int step, double observedS) {
    return new HungCall(stage, task(settings, stage, step), FOR_EVER_S, observedS);
  }

  /** It gets its answer in the end. */
  static HungCall closed(ClusterSettings settings, String stage, int step, double seconds) {
    return new HungCall(stage, task(settings, stage, step), seconds, Double.POSITIVE_INFINITY);
  }

  /** The first task from the middle of a step on whose second sample makes such a call. */
  private static long task(ClusterSettings settings, String stage, int step) {
    long task = (long) step * settings.work().tasksPerStep() + 2;
    while (stage.equals(Stages.TOOL)
        && (settings.dataset(task).tool() == null || settings.turns(task, SAMPLE) < 2)) {
      task++;
    }
    return task;
  }

  @Override
  public double hangS(Moment at, String ofStage, long ofTask, int sample, int turn) {
    boolean isIt =
        ofTask == task
            && sample == SAMPLE
            && ofStage.equals(stage)
            && (turn == 1 || stage.equals(Stages.JUDGE));
    return isIt ? seconds : 0;
  }

  @Override
  public double observedS() {
    return observedS;
  }

  @Override
  public boolean isAboutTime() {
    return false;
  }

  @Override
  public Expected expected(ClusterSettings settings) {
    return new Expected("hung_call", "session", settings.taskId(task) + "." + SAMPLE, stage);
  }
}
