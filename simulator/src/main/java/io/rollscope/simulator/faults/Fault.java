package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Disturbance;
import java.util.List;

/** Something wrong with a run, which can be taken out of it again. */
public interface Fault extends Disturbance {

  /** What should be found. */
  Expected expected(ClusterSettings settings);

  /** Consequences that are no false alarm when they are found, too. */
  default List<Acceptable> acceptable(ClusterSettings settings) {
    return List.of();
  }

  /** Whether it is there in all steps, without making a difference at one moment. */
  default boolean isAlways() {
    return false;
  }

  /** Whether it costs time in ways that can be told from a trace. */
  default boolean hasCost() {
    return true;
  }

  /** Whether it is no fault where it costs no time. */
  default boolean isAboutTime() {
    return hasCost();
  }

  /** The settings of a run that does not have it. */
  default ClusterSettings without(ClusterSettings settings) {
    return settings;
  }
}
