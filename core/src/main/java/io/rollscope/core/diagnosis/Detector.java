package io.rollscope.core.diagnosis;

/** Looks for some kinds of causes. It holds nothing between two runs. */
interface Detector {

  /** Adds what it finds to {@code causes}, and the kinds it cannot judge. */
  void detect(RunWork work, Causes causes);
}
