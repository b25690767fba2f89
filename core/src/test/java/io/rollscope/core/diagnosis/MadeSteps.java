package io.rollscope.core.diagnosis;

/**
 * A synchronous run: in each step all sessions begin at once, each with a call of an engine and one
 * of the judge; then training, then the weight sync. Subclasses put in what is wrong.
 */
class MadeSteps {
  static final int STEPS = 6;
  static final int TASKS = 6;
  static final int SIBLINGS = 4;

  /** How long the whole run takes. */
  double wallS;

  int steps() {
    return STEPS;
  }

  int engines() {
    return 4;
  }

  int engine(int step, int task, int sibling) {
    return (task * SIBLINGS + sibling) % engines();
  }

  long prompt(int step, int task, int sibling) {
    return 300;
  }

  /** From 100 to 160, different for each session and in each step. */
  long tokens(int step, int task, int sibling) {
    return 100L + 10L * ((task * SIBLINGS + sibling + step) % 7);
  }

  /** Seconds per token; the first step is a warm-up. */
  double pace(int step, int engine, int task, int sibling) {
    double noise = 1 + 0.01 * ((task + 2 * sibling + step) % 5 - 2);
    return (step == 0 ? 0.2 : 0.1) * noise;
  }

  double judge(int step, int task, int sibling) {
    return 1 + 0.1 * ((task + 3 * sibling + step) % 4);
  }

  double train(int step) {
    return 5;
  }

  double sync(int step) {
    return 2 + 0.1 * (step % 2);
  }

  /** How long a call waits in the queue of its engine; negative if it does not say. */
  double queue(int step, int engine) {
    return -1;
  }

  String taskName(int step, int task) {
    return "math";
  }

  final MadeTraining made() {
    MadeTraining run = new MadeTraining();
    double now = 0;
    for (int step = 0; step < steps(); step++) {
      double ready = now;
      for (int task = 0; task < TASKS; task++) {
        for (int sibling = 0; sibling < SIBLINGS; sibling++) {
          int engine = engine(step, task, sibling);
          long wrote = tokens(step, task, sibling);
          double generated =
              now
                  + Math.max(0, queue(step, engine))
                  + wrote * pace(step, engine, task, sibling)
                  + prompt(step, task, sibling) * readingPace();
          double judged = generated + judge(step, task, sibling);
          run.session(step, "t" + step + "-" + task, sibling, taskName(step, task))
              .engine(engine, now, generated, prompt(step, task, sibling), wrote)
              .queued(queue(step, engine))
              .call("judge", generated, judged);
          ready = Math.max(ready, judged);
        }
      }
      double trained = ready + train(step);
      run.step(step, now, ready, trained, trained + sync(step));
      now = trained + sync(step);
    }
    wallS = now;
    return run;
  }

  double readingPace() {
    return 0;
  }

  /** What is saved without what a subclass put in. */
  final double costOf(MadeSteps healthy) {
    made();
    healthy.made();
    return wallS - healthy.wallS;
  }
}
