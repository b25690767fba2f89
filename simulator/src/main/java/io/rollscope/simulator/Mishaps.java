package io.rollscope.simulator;

/**
 * What goes wrong in a simulated run.
 *
 * @param hangEvery one session in so many never ends; 0 for none
 * @param engineErrors share of generation attempts that fail and are tried again
 * @param judgeErrors share of judgements that fail
 * @param toolErrors share of tool calls that fail
 * @param filteredTasks share of tasks whose group is filtered out
 */
public record Mishaps(
    int hangEvery,
    double engineErrors,
    double judgeErrors,
    double toolErrors,
    double filteredTasks) {

  public Mishaps {
    Expect.atLeast("hangEvery", hangEvery, 0);
    Expect.share("engineErrors", engineErrors);
    Expect.share("judgeErrors", judgeErrors);
    Expect.share("toolErrors", toolErrors);
    Expect.share("filteredTasks", filteredTasks);
  }

  public Mishaps withHangEvery(int value) {
    return new Mishaps(value, engineErrors, judgeErrors, toolErrors, filteredTasks);
  }

  public Mishaps withEngineErrors(double value) {
    return new Mishaps(hangEvery, value, judgeErrors, toolErrors, filteredTasks);
  }

  public Mishaps withJudgeErrors(double value) {
    return new Mishaps(hangEvery, engineErrors, value, toolErrors, filteredTasks);
  }

  public Mishaps withToolErrors(double value) {
    return new Mishaps(hangEvery, engineErrors, judgeErrors, value, filteredTasks);
  }

  public Mishaps withFilteredTasks(double value) {
    return new Mishaps(hangEvery, engineErrors, judgeErrors, toolErrors, value);
  }
}
