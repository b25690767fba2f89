package io.rollscope.core.table;

import io.rollscope.core.session.RewardAndTokens;

/** A growing column of rewards and tokens. Where there are none it takes no memory. */
public final class RewardAndTokensColumn {
  private static final long NO_REWARD = Double.doubleToLongBits(Double.NaN);
  private static final long UNKNOWN = -1;

  private final LongColumn reward = new LongColumn(NO_REWARD);
  private final LongColumn inputTokens = new LongColumn(UNKNOWN);
  private final LongColumn outputTokens = new LongColumn(UNKNOWN);

  public RewardAndTokens get(int index) {
    long earned = reward.get(index);
    long input = inputTokens.get(index);
    long output = outputTokens.get(index);
    return earned == NO_REWARD && input < 0 && output < 0
        ? RewardAndTokens.NONE
        : new RewardAndTokens(
            earned == NO_REWARD ? null : (Double) Double.longBitsToDouble(earned),
            input < 0 ? null : (Long) input,
            output < 0 ? null : (Long) output);
  }

  /** -1 for what is not known. */
  public long inputTokens(int index) {
    return inputTokens.get(index);
  }

  /** Likewise. */
  public long outputTokens(int index) {
    return outputTokens.get(index);
  }

  public void set(int index, RewardAndTokens value) {
    if (!value.equals(get(index))) {
      Double earned = value.reward();
      reward.set(index, earned == null ? NO_REWARD : Double.doubleToLongBits(earned));
      inputTokens.set(index, value.inputTokens() == null ? UNKNOWN : value.inputTokens());
      outputTokens.set(index, value.outputTokens() == null ? UNKNOWN : value.outputTokens());
    }
  }

  public long bytes() {
    return reward.bytes() + inputTokens.bytes() + outputTokens.bytes();
  }
}
