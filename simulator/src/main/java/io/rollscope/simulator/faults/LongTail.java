package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Moment;
import io.rollscope.simulator.cluster.Stages;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Few sessions generate many times more than the others, at the usual speed.
 *
 * @param everyTask a session of every so many tasks is one of them
 */
public record LongTail(int everyTask, double factor, Steps when) implements Fault {

  @Override
  public double outputFactor(Moment at, long task, int sample) {
    return when.contains(at) && sample == 0 && Math.floorMod(task, everyTask) == 1 ? factor : 1;
  }

  @Override
  public Expected expected(ClusterSettings settings) {
    List<String> others =
        IntStream.range(when.from() + 1, Math.min(when.to(), settings.work().steps() - 1) + 1)
            .mapToObj(Integer::toString)
            .toList();
    return new Expected("long_tail", "step", Integer.toString(when.from()), others, Stages.ENGINE);
  }
}
