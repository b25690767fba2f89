package io.rollscope.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a session earned and used, by what its spans say (contracts.md 3.16, 3.17). */
class RewardAndTokensTest {
  private record Span(
      long spanId, long parentId, Kind kind, long endNs, RewardAndTokens rewardAndTokens)
      implements ReportedSpan {
    @Override
    public boolean recordsParents() {
      return true;
    }

    @Override
    public long startNs() {
      return 0;
    }

    @Override
    public Outcome outcome() {
      return Outcome.OK;
    }

    @Override
    public String batch() {
      return null;
    }

    @Override
    public Long trainStep() {
      return null;
    }

    @Override
    public Long modelStep() {
      return null;
    }

    @Override
    public Long futureStep() {
      return null;
    }

    @Override
    public String task() {
      return null;
    }

    @Override
    public String taskName() {
      return null;
    }

    @Override
    public String workerRole() {
      return null;
    }

    @Override
    public Long workerRank() {
      return null;
    }

    @Override
    public String status() {
      return null;
    }

    @Override
    public String sourceStatus() {
      return null;
    }

    @Override
    public String reason() {
      return null;
    }

    @Override
    public String error() {
      return null;
    }
  }

  private static Span phase(long id, long parent, Double reward, Long input, Long output) {
    return new Span(id, parent, Kind.PHASE, id, new RewardAndTokens(reward, input, output));
  }

  private static RewardAndTokens of(Span... spans) {
    List<Span> all = new ArrayList<>(List.of(spans));
    RewardAndTokens told = SessionSummary.of(all, null, false).rewardAndTokens();
    Collections.reverse(all);
    assertThat(SessionSummary.of(all, null, false).rewardAndTokens()).isEqualTo(told);
    return told;
  }

  /** An agent's turn repeats what its calls say, with a retry in between that says nothing. */
  @Test
  void onlyInnermostCallsCount() {
    assertThat(
            of(
                phase(1, 9, null, 400L, 88L),
                phase(2, 1, null, null, null),
                phase(3, 2, null, 150L, null),
                phase(4, 2, null, 262L, null),
                phase(5, 9, null, null, 2L)))
        .isEqualTo(new RewardAndTokens(null, 412L, 90L));
  }

  @Test
  void whatTheSessionSpanSaysHolds() {
    Span session = new Span(9, 0, Kind.SESSION, 99, new RewardAndTokens(null, 7L, null));
    assertThat(of(session, phase(1, 9, 0.5, 100L, 3L), phase(2, 9, 0.25, 100L, 4L)))
        .isEqualTo(new RewardAndTokens(0.25, 7L, 7L));
  }

  @Test
  void tasksAndBatchesAreNoCalls() {
    Span task = new Span(9, 0, Kind.TASK, 99, new RewardAndTokens(1.0, 7L, 7L));
    assertThat(of(task, phase(1, 9, null, null, null))).isEqualTo(RewardAndTokens.NONE);
  }

  /** Senders name parents in a circle, or themselves; and more tokens than there are numbers. */
  @Test
  void oddParentsAndHugeNumbersDoNoHarm() {
    assertThat(of(phase(1, 2, null, 5L, null), phase(2, 1, null, 6L, null)))
        .isEqualTo(RewardAndTokens.NONE);
    assertThat(of(phase(1, 1, null, 5L, null), phase(2, 0, null, 6L, null)).inputTokens())
        .isEqualTo(6L);
    assertThat(
            of(phase(1, 0, null, Long.MAX_VALUE, null), phase(2, 0, null, Long.MAX_VALUE, null))
                .inputTokens())
        .isEqualTo(Long.MAX_VALUE);
  }

  /** A judge scores in pieces, and again; records overtake each other. */
  @Test
  void ofLateFactsTheNewestOfEachHoldsInAnyOrder() {
    LateFacts first = LateFacts.at(1, new RewardAndTokens(0.1, 5L, null));
    LateFacts second = LateFacts.at(2, new RewardAndTokens(0.2, null, 40L));
    LateFacts third = LateFacts.at(3, new RewardAndTokens(null, null, 41L));
    LateFacts same = LateFacts.at(3, new RewardAndTokens(null, null, 42L));
    List<LateFacts> all = new ArrayList<>(List.of(first, second, third, same));
    for (int i = 0; i < 24; i++) {
      Collections.shuffle(all, new java.util.Random(i));
      LateFacts told = all.stream().reduce(LateFacts.NONE, LateFacts::and);
      assertThat(told.values()).isEqualTo(new RewardAndTokens(0.2, 5L, 42L));
      assertThat(told).isEqualTo(LateFacts.of(told.values(), 2, 1, 3));
      assertThat(told.byTime().stream().reduce(LateFacts.NONE, LateFacts::and)).isEqualTo(told);
    }
    assertThat(second.and(first).and(second).values().reward()).isEqualTo(0.2);
    assertThat(second.and(LateFacts.NONE)).isSameAs(second);
    assertThat(LateFacts.NONE.newestNs()).isEqualTo(Nanos.UNKNOWN);
  }
}
