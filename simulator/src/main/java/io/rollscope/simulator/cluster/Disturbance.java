package io.rollscope.simulator.cluster;

/**
 * What goes another way than usual. It is asked again and again while the run goes on; each answer
 * that differs from the usual one counts as its presence in that step.
 */
public interface Disturbance {

  /** A step begins: what happens at a time of its own may be put on the agenda. */
  default void stepBegins(Cluster cluster, int step) {}

  /** How long after it was there first the trace ends, in seconds. */
  default double observedS() {
    return Double.POSITIVE_INFINITY;
  }

  /** How many times longer an engine takes for a token. */
  default double tokenFactor(Moment at, int engine) {
    return 1;
  }

  /** How many times longer a call of a stage takes. */
  default double serviceFactor(Moment at, String stage) {
    return 1;
  }

  /** Share of calls of a stage that fail besides the usual ones. */
  default double errorShare(Moment at, String stage) {
    return 0;
  }

  /** How long a call of a stage takes that fails, in seconds; 0 for as long as any other. */
  default double errorS(Moment at, String stage) {
    return 0;
  }

  /** Share of generations whose answer is of no use, so that they are repeated. */
  default double repeatShare(Moment at) {
    return 0;
  }

  /** Share of groups that are rejected besides the usual ones. */
  default double rejectShare(Moment at) {
    return 0;
  }

  /** How many times longer the weights take to an engine. */
  default double syncFactor(Moment at, int engine) {
    return 1;
  }

  /** Whether an engine stays with its old weights. */
  default boolean missesWeights(Moment at, int engine) {
    return false;
  }

  /** How many times longer training takes. */
  default double trainFactor(Moment at) {
    return 1;
  }

  /** How many times longer the answers of a session are. */
  default double outputFactor(Moment at, long task, int sample) {
    return 1;
  }

  /** How many times longer the prompt of a task of a dataset is. */
  default double promptFactor(Moment at, String dataset, long task) {
    return 1;
  }

  /** Which engine a session goes to, instead of {@code usual}. */
  default int engine(Moment at, long task, int sample, int usual) {
    return usual;
  }

  /** By what the number of requests an engine works on is multiplied. */
  default double slotFactor(Moment at, int engine) {
    return 1;
  }

  /** How long this call of a session takes before it goes on, in seconds; 0 if it goes on. */
  default double hangS(Moment at, String stage, long task, int sample, int turn) {
    return 0;
  }

  /** How far the clock of a host is ahead, in seconds. */
  default double clockS(String host) {
    return 0;
  }

  /** Share of a process's spans that it drops. */
  default double dropShare(Moment at, String role, int rank) {
    return 0;
  }
}
