package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.view.Scope;
import io.rollscope.store.query.Question;
import io.rollscope.store.query.Reports;
import io.rollscope.store.testkit.OldSegments;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What sessions count is summed over them, wherever they are. */
class CountersTest {
  private static final String COUNTERS = "select session, counters from sessions order by session";

  private final AtomicLong clock = new AtomicLong(Sender.at(100));
  @TempDir Path data;

  private static void session(TestStore store, long trace, long turns) {
    store
        .sender()
        .span(trace, 1, 0, "rollout", 0, 10)
        .attribute("rl.kind", "session")
        .attribute("rl.session.id", "s-" + trace)
        .attribute("rl.counter.turns", turns)
        .span(trace, 2, 1, "generate", 1, 6)
        .attribute("rl.counter.turns", 1000)
        .send();
  }

  private static Map<String, Long> summed(TestStore store) throws Exception {
    store.pass(2);
    Reports reports = new Reports(store.store().snapshots(), "source");
    return reports.sessions(Question.of("run-1", Scope.ALL, Sender.at(100)), null).counters();
  }

  @Test
  void onlySessionSpansCount() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      session(store, 1, 3);
      session(store, 2, 4);
      store.awaitSpans(4);

      assertThat(summed(store)).isEqualTo(Map.of("turns", 7L));
    }
  }

  @Test
  void aSumBeyondWhatANumberHoldsStaysAtTheLimit() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      session(store, 1, Long.MAX_VALUE);
      session(store, 2, 4);
      store.awaitSpans(4);

      assertThat(summed(store)).isEqualTo(Map.of("turns", Long.MAX_VALUE));
    }
  }

  /** An engine exports its span after the session was sealed, and then another one. */
  @Test
  void theyStayWhenASessionIsSealedComesBackAndIsSealedAgain() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      session(store, 1, 3);
      store.awaitSpans(2);
      store.sealAll();
      assertThat(store.query(COUNTERS)).isEqualTo(List.of("s-1|{turns=3}"));
      for (int late = 3; late < 5; late++) {
        store.sender().span(1, late, 1, "late", 7, 8).send();
        store.awaitSpans(late);
        store.sealAll();
        assertThat(store.query(COUNTERS)).isEqualTo(List.of("s-1|{turns=3}"));
      }
    }
  }

  /** Files that were written before sessions had counters: their spans tell. */
  @Test
  void filesWithoutTheColumnGetIt() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      session(store, 1, 3);
      store.awaitSpans(2);
      store.sealAll();
    }
    OldSegments.withoutColumnsOfSessions(data);
    try (TestStore store = TestStore.open(data, clock)) {
      assertThat(summed(store)).isEqualTo(Map.of("turns", 3L));
      session(store, 2, 4);
      store.awaitSpans(2);
      assertThat(summed(store)).isEqualTo(Map.of("turns", 7L));
      store.sealAll();
      assertThat(store.query(COUNTERS)).isEqualTo(List.of("s-1|{turns=3}", "s-2|{turns=4}"));
    }
  }
}
