package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Moment;
import io.rollscope.simulator.cluster.Stages;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Prompts of one dataset are many times longer than they were.
 *
 * @param everyTask one of so many of its tasks has such a prompt
 */
public record GiantInputs(String dataset, int everyTask, double factor, Steps when)
    implements Fault {

  @Override
  public double promptFactor(Moment at, String of, long task) {
    return of.equals(dataset) && isChosen(task) && when.contains(at) ? factor : 1;
  }

  private boolean isChosen(long task) {
    return Math.floorMod(task, everyTask) == 0;
  }

  /** The dataset, or one of the tasks. */
  @Override
  public Expected expected(ClusterSettings settings) {
    long tasks = 2L * settings.work().steps() * settings.work().tasksPerStep();
    List<String> ids =
        LongStream.range(0, tasks)
            .filter(task -> isChosen(task) && settings.dataset(task).name().equals(dataset))
            .mapToObj(settings::taskId)
            .toList();
    return new Expected("giant_input", "task", dataset, ids, Stages.ENGINE);
  }
}
