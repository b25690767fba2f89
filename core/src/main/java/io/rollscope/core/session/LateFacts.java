package io.rollscope.core.session;

import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Reward and tokens that a session got apart from its spans, and when: of each the newest holds, in
 * whatever order they came (contracts.md 3.18).
 */
public record LateFacts(
    RewardAndTokens values, long rewardNs, long inputTokensNs, long outputTokensNs) {
  public static final LateFacts NONE =
      new LateFacts(RewardAndTokens.NONE, Nanos.UNKNOWN, Nanos.UNKNOWN, Nanos.UNKNOWN);

  /** What one record says. */
  public static LateFacts at(long timeNs, RewardAndTokens values) {
    return values.isNone() ? NONE : of(values, timeNs, timeNs, timeNs);
  }

  /** Values with a time each; that of a value that is not known does not matter. */
  public static LateFacts of(
      RewardAndTokens values, long rewardNs, long inputTokensNs, long outputTokensNs) {
    return new LateFacts(
        values,
        values.reward() == null ? Nanos.UNKNOWN : rewardNs,
        values.inputTokens() == null ? Nanos.UNKNOWN : inputTokensNs,
        values.outputTokens() == null ? Nanos.UNKNOWN : outputTokensNs);
  }

  public boolean isNone() {
    return values.isNone();
  }

  /** When the last of it was reported, or {@link Nanos#UNKNOWN}. */
  public long newestNs() {
    return Math.max(rewardNs, Math.max(inputTokensNs, outputTokensNs));
  }

  /** Both together; this object itself if the other adds nothing. */
  public LateFacts and(LateFacts other) {
    boolean reward = isNewer(rewardNs, values.reward(), other.rewardNs, other.values.reward());
    boolean input =
        isNewer(
            inputTokensNs, values.inputTokens(), other.inputTokensNs, other.values.inputTokens());
    boolean output =
        isNewer(
            outputTokensNs,
            values.outputTokens(),
            other.outputTokensNs,
            other.values.outputTokens());
    if (!reward && !input && !output) {
      return this;
    }
    return new LateFacts(
        new RewardAndTokens(
            (reward ? other : this).values.reward(),
            (input ? other : this).values.inputTokens(),
            (output ? other : this).values.outputTokens()),
        (reward ? other : this).rewardNs,
        (input ? other : this).inputTokensNs,
        (output ? other : this).outputTokensNs);
  }

  /** Whether the other value holds; of two of one time the larger. */
  private static <T extends Comparable<T>> boolean isNewer(
      long knownNs, T known, long otherNs, T other) {
    if (other == null || known == null) {
      return other != null;
    }
    return otherNs != knownNs ? otherNs > knownNs : other.compareTo(known) > 0;
  }

  /** One for each time, so that each can be written as a record. */
  public List<LateFacts> byTime() {
    List<LateFacts> all = new ArrayList<>(1);
    for (long time : new TreeSet<>(List.of(rewardNs, inputTokensNs, outputTokensNs))) {
      if (time != Nanos.UNKNOWN) {
        RewardAndTokens then =
            new RewardAndTokens(
                rewardNs == time ? values.reward() : null,
                inputTokensNs == time ? values.inputTokens() : null,
                outputTokensNs == time ? values.outputTokens() : null);
        all.add(at(time, then));
      }
    }
    return all;
  }
}
