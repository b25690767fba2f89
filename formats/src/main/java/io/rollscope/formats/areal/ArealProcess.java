package io.rollscope.formats.areal;

/**
 * A process that records AReaL traces.
 *
 * @param rank its number within the role
 * @param role what it does in the run, or null when there is only one role
 * @param pid its process id
 * @param clockOriginNs when its tracer was made, in nanoseconds since the epoch; the times of perf
 *     events count from there
 */
public record ArealProcess(long rank, String role, long pid, long clockOriginNs) {
  public ArealProcess {
    if (rank < 0) {
      throw new IllegalArgumentException("rank: " + rank + " (expected: >= 0)");
    }
  }
}
