package io.rollscope.simulator;

/** XTuner's words for the state of a sample. */
enum RolloutStatus {
  INIT("init"),
  COMPLETED("completed"),
  ABORTED("aborted"),
  FAILED("failed"),
  FILTERED("filtered");

  final String word;

  RolloutStatus(String word) {
    this.word = word;
  }
}
