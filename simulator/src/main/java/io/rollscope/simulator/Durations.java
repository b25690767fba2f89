package io.rollscope.simulator;

/**
 * How long things take in a simulated run, in seconds.
 *
 * @param generateS median of one generation
 * @param generateSpread standard deviation of its logarithm
 * @param tailShare share of generations that take many times longer
 * @param trainS one training step without weight sync
 * @param weightSyncS sending new weights to the workers; no generation starts meanwhile
 * @param graceS how long the last tenth of a batch may take before it is aborted
 */
public record Durations(
    double generateS,
    double generateSpread,
    double tailShare,
    double trainS,
    double weightSyncS,
    double graceS) {

  public Durations {
    Expect.positive("generateS", generateS);
    Expect.notNegative("generateSpread", generateSpread);
    Expect.share("tailShare", tailShare);
    Expect.positive("trainS", trainS);
    Expect.positive("weightSyncS", weightSyncS);
    Expect.positive("graceS", graceS);
  }

  public Durations withGenerateS(double value) {
    return new Durations(value, generateSpread, tailShare, trainS, weightSyncS, graceS);
  }

  public Durations withGenerateSpread(double value) {
    return new Durations(generateS, value, tailShare, trainS, weightSyncS, graceS);
  }

  public Durations withTailShare(double value) {
    return new Durations(generateS, generateSpread, value, trainS, weightSyncS, graceS);
  }

  public Durations withTrainS(double value) {
    return new Durations(generateS, generateSpread, tailShare, value, weightSyncS, graceS);
  }

  public Durations withWeightSyncS(double value) {
    return new Durations(generateS, generateSpread, tailShare, trainS, value, graceS);
  }

  public Durations withGraceS(double value) {
    return new Durations(generateS, generateSpread, tailShare, trainS, weightSyncS, value);
  }
}
