package io.rollscope.store.query;

import static io.rollscope.store.query.SmallRun.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionFilter;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Names come from anybody who can send a span, filters from anybody who can ask. */
class HostileTextTest {

  static List<String> texts() {
    return List.of(
        "'; DROP TABLE spans; --",
        "\" OR 1=1 --",
        "?",
        "$1",
        "%",
        "\\",
        "nul\0within",
        "😀 ж 中 \u202e",
        "line\nbreak\r\t",
        " ",
        "x".repeat(1 << 20));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void textIsOnlyEverText(String text) throws Exception {
    try (Tables tables = new Tables()) {
      new SmallRun(tables, text).session(text, text, 1, 10);
      new SmallRun(tables, "plain").session("plain", "plain", 1, 10);
      tables.flush();
      Reports reports = new Reports(tables.snapshots(), "source");
      for (Scope scope : List.of(Scope.ALL, Scope.ACTIVE, Scope.LATEST, Scope.ofBatch(text))) {
        Question question = Question.of(text, scope, 30 * SECOND);
        assertThat(reports.hotspots(question).spanCount()).isEqualTo(2);
        assertThat(reports.sessions(question, null).records()).isEqualTo(1);
        assertThat(reports.errors(question, 10).errors().get(0).examples()).containsExactly(text);
        assertThat(reports.occupancy(question, null, null, 4).sessions()).isEqualTo(1);
      }
      assertThat(reports.session(text, text, 30 * SECOND).get().session()).isEqualTo(text);
      assertThat(
              reports.batches(Question.of(text, Scope.ALL, 0), null, 10).batches().get(0).batch())
          .isEqualTo(text);
      Question named =
          new Question(
              text, Scope.ALL, new SessionFilter("failed", null, null, null, text), 30 * SECOND);
      assertThat(reports.sessionList(named, "-session", 10, null).total()).isEqualTo(1);
      Question plain =
          new Question(
              "plain", Scope.ALL, new SessionFilter(text, text, text, text, text), 30 * SECOND);
      assertThat(reports.sessionList(plain, "session", 10, null).total()).isZero();
      assertThat(reports.trace(text).spans()).isEmpty();
    }
  }
}
