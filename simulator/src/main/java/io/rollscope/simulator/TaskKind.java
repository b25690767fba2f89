package io.rollscope.simulator;

/** The datasets of the simulated run. */
enum TaskKind {
  GSM8K("gsm8k", true, false, 0.7),
  DAPO_MATH("dapo_math", false, false, 1.5),
  SEARCH_QA("search_qa", true, true, 0.6);

  /** Name of the dataset. */
  final String dataset;

  /** Whether its samples have random uids, or are counted up. */
  final boolean randomUids;

  /** Whether its samples call tools, over several turns. */
  final boolean usesTools;

  /** How long its generations are compared with the median. */
  final double length;

  TaskKind(String dataset, boolean randomUids, boolean usesTools, double length) {
    this.dataset = dataset;
    this.randomUids = randomUids;
    this.usesTools = usesTools;
    this.length = length;
  }

  static TaskKind draw(Chance chance) {
    double place = chance.between(0, 1);
    return place < 0.2 ? GSM8K : place < 0.58 ? DAPO_MATH : SEARCH_QA;
  }
}
