package io.rollscope.core.session;

import io.rollscope.core.model.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * What a session or a call earned and what it read and wrote; null where nothing is known
 * (contracts.md 3.16).
 */
public record RewardAndTokens(Double reward, Long inputTokens, Long outputTokens) {
  public static final RewardAndTokens NONE = new RewardAndTokens(null, null, null);

  private static final long MOST_TOKENS = 1L << 53;

  /** From attributes as text; what is no such number says nothing. */
  public static RewardAndTokens of(String reward, String inputTokens, String outputTokens) {
    if (reward == null && inputTokens == null && outputTokens == null) {
      return NONE;
    }
    return new RewardAndTokens(Decimals.number(reward), tokens(inputTokens), tokens(outputTokens))
        .orNone();
  }

  private RewardAndTokens orNone() {
    return equals(NONE) ? NONE : this;
  }

  private static Long tokens(String text) {
    Double value = Decimals.number(text);
    long count = value == null ? -1 : tokens(value);
    return count < 0 ? null : (Long) count;
  }

  /** A number of tokens, or -1 if this is none. */
  public static long tokens(double value) {
    return value >= 0 && value <= MOST_TOKENS && value % 1 == 0 ? (long) value : -1;
  }

  public boolean isNone() {
    return equals(NONE);
  }

  /** The same; what is not known here, the other says. */
  public RewardAndTokens or(RewardAndTokens other) {
    if (other.isNone() || equals(other)) {
      return this;
    }
    return new RewardAndTokens(
        reward != null ? reward : other.reward,
        inputTokens != null ? inputTokens : other.inputTokens,
        outputTokens != null ? outputTokens : other.outputTokens);
  }

  /**
   * Of a session: what its own span says, of several the newest. Else the reward is that of its
   * newest span with one, and tokens are the sum over its calls without those that only repeat what
   * calls inside them say.
   *
   * @param oldestFirst its spans in the order in which they were last heard of
   */
  static RewardAndTokens ofSession(List<? extends ReportedSpan> oldestFirst) {
    RewardAndTokens own = NONE;
    Double reward = null;
    List<ReportedSpan> calls = null;
    for (ReportedSpan span : oldestFirst) {
      RewardAndTokens said = span.rewardAndTokens();
      if (said.isNone()) {
        continue;
      }
      if (span.kind() == Kind.SESSION) {
        own = said.or(own);
      } else if (!span.kind().isContainer()) {
        reward = said.reward != null ? said.reward : reward;
        calls = calls == null ? new ArrayList<>() : calls;
        calls.add(span);
      }
    }
    if (calls == null) {
      return own;
    }
    return own.or(
        new RewardAndTokens(
            reward,
            own.inputTokens != null ? null : sum(oldestFirst, calls, s -> s.inputTokens),
            own.outputTokens != null ? null : sum(oldestFirst, calls, s -> s.outputTokens)));
  }

  private static Long sum(
      List<? extends ReportedSpan> spans,
      List<ReportedSpan> calls,
      Function<RewardAndTokens, Long> count) {
    List<ReportedSpan> counting =
        calls.stream().filter(call -> count.apply(call.rewardAndTokens()) != null).toList();
    Set<Long> around = counting.size() < 2 ? Set.of() : around(spans, counting);
    Long sum = null;
    for (ReportedSpan call : counting) {
      if (!around.contains(call.spanId())) {
        long all = (sum == null ? 0 : sum) + count.apply(call.rewardAndTokens());
        sum = all < 0 ? Long.MAX_VALUE : all;
      }
    }
    return sum;
  }

  /** The spans that any of these lie in. Senders may name parents in a circle. */
  private static Set<Long> around(List<? extends ReportedSpan> spans, List<ReportedSpan> inner) {
    Map<Long, Long> parents = new HashMap<>();
    for (ReportedSpan span : spans) {
      parents.put(span.spanId(), span.parentId());
    }
    Set<Long> around = new HashSet<>();
    for (ReportedSpan span : inner) {
      Long up = span.parentId();
      while (parents.containsKey(up) && around.add(up)) {
        up = parents.get(up);
      }
    }
    return around;
  }
}
