package io.rollscope.simulator.cluster;

/**
 * A kind of tasks.
 *
 * @param name of its tasks
 * @param turns most generations of a session; a session has one at least
 * @param tool called between generations, or null
 * @param promptTokens median length of a prompt
 * @param outputTokens median length of one generation
 * @param spread standard deviation of the logarithm of both
 */
public record Dataset(
    String name, int turns, String tool, double promptTokens, double outputTokens, double spread) {

  /** Questions answered at once. */
  public static Dataset questions(String name) {
    return new Dataset(name, 1, null, 320, 520, 0.35);
  }

  /** Tasks of several turns with a tool between them. */
  public static Dataset toolTasks(String name, String tool) {
    return new Dataset(name, 4, tool, 400, 230, 0.45);
  }

  public Dataset withPromptTokens(double value) {
    return new Dataset(name, turns, tool, value, outputTokens, spread);
  }

  public Dataset withOutputTokens(double value) {
    return new Dataset(name, turns, tool, promptTokens, value, spread);
  }

  public Dataset withSpread(double value) {
    return new Dataset(name, turns, tool, promptTokens, outputTokens, value);
  }
}
