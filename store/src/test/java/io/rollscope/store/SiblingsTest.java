package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionFilter;
import io.rollscope.store.query.Question;
import io.rollscope.store.query.Reports;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Waits for siblings are cut when read: in memory, in segments, and half in each. */
class SiblingsTest {
  private static final String TIMES =
      "select session, wall_ns // 1000000000, work_ns // 1000000000, own_ns // 1000000000,"
          + " siblings_ns // 1000000000 from sessions order by session";
  private static final List<String> TOLD = List.of("s-1|20|20|5|13", "s-2|20|20|18|0");

  private final AtomicLong clock = new AtomicLong(Sender.at(100));
  @TempDir Path data;

  /** A sample generates until {@code done}, and its group's span is open until all have. */
  private static void session(TestStore store, long trace, long done) {
    store
        .sender()
        .span(trace, 1, 0, "rollout", 0, 20)
        .attribute("rl.kind", "session")
        .attribute("rl.session.id", "s-" + trace)
        .attribute("rl.task.id", "task-1")
        .attribute("rl.worker.role", "rollout")
        .attribute("rl.worker.rank", trace)
        .span(trace, 2, 1, "group", 0, 20)
        .span(trace, 3, 2, "generate", 0, (double) done)
        .send();
  }

  private static HotspotsReport hotspots(TestStore store, SessionFilter filter) throws Exception {
    store.pass(2);
    return new Reports(store.store().snapshots(), "source")
        .hotspots(new Question("run-1", Scope.ALL, filter, Sender.at(100)));
  }

  private static double self(HotspotsReport report, String stage) {
    return report.stageStats().stream()
        .filter(s -> s.stage().equals(stage))
        .mapToDouble(HotspotsReport.StageStats::selfS)
        .sum();
  }

  @Test
  void aFinishedSampleThatWaitsForItsGroupIsNotSlow() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      session(store, 1, 5);
      store.awaitSpans(3);
      store.sealAll();
      session(store, 2, 18);
      store.awaitSpans(6);
      for (int sealed = 1; sealed <= 2; sealed++) {
        store.pass(2);
        assertThat(store.query(TIMES)).as("%d sealed", sealed).isEqualTo(TOLD);
        HotspotsReport report = hotspots(store, SessionFilter.NONE);
        assertThat(report.waits().siblingsS()).isEqualTo(13);
        assertThat(self(report, "group")).isEqualTo(4);
        assertThat(self(report, "generate")).isEqualTo(23);
        if (sealed == 1) {
          store.sealAll();
        }
      }
    }
  }

  @Test
  void theSiblingsAFilterLeavesOutStillKeptItWaiting() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      session(store, 1, 5);
      session(store, 2, 18);
      store.awaitSpans(6);
      HotspotsReport report =
          hotspots(store, new SessionFilter(null, null, null, "rollout:1", null));
      assertThat(report.sessionCount()).isEqualTo(1);
      assertThat(report.waits().siblingsS()).isEqualTo(13);
      assertThat(self(report, "group")).isEqualTo(2);
    }
  }

  /** The engine's span arrives when its session is sealed: it takes time from the span around. */
  @Test
  void aLateSpanTakesItsTimeFromSealedSpans() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      session(store, 1, 18);
      store.awaitSpans(3);
      store.sealAll();
      store.sender().span(1, 4, 3, "engine", 2, 12).send();
      store.awaitSpans(4);
      store.sealAll();
      HotspotsReport report = hotspots(store, SessionFilter.NONE);
      assertThat(self(report, "engine")).isEqualTo(10);
      assertThat(self(report, "generate")).isEqualTo(8);
      assertThat(report.waits().unaccountedS()).isZero();
    }
  }

  @Test
  void textIsFoundInStagesWorkersAndErrors() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      session(store, 1, 5);
      session(store, 2, 18);
      store.awaitSpans(6);
      for (String text : List.of("GENER", "rank 1", "s-1")) {
        int found = text.equals("GENER") ? 2 : 1;
        assertThat(hotspots(store, new SessionFilter(null, null, null, null, text)).sessionCount())
            .as(text)
            .isEqualTo(found);
      }
      HotspotsReport none = hotspots(store, new SessionFilter(null, null, null, null, "%"));
      assertThat(none.sessionCount()).isZero();
      assertThat(none.waits().queueS()).isZero();
    }
  }
}
