package io.rollscope.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.rollscope.core.TableBuilder;
import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Worker;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.HotspotsReport.StageStats;
import io.rollscope.core.view.SessionReport.Sibling;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What users saw of groups, and of work that has the name of other work. */
class GroupsTest {
  private static final ReportContext CONTEXT =
      new ReportContext("source", "run", new ReportContext.SkippedLines(0, List.of()));

  private static Coordinates at(String batch, String task) {
    return new Coordinates(batch, null, null, null, task, null, Worker.UNKNOWN, null);
  }

  private static SessionReport session(SpanTable table, String id) {
    return SessionView.of(
        table, table.findSession(id), Nanos.UNKNOWN, SessionView.SourceLines.NONE, CONTEXT);
  }

  /** An item drawn in two steps showed the sessions of the other step as its siblings. */
  @Test
  void theSameItemDrawnInTwoStepsIsTwoGroups() {
    SpanTable table =
        new TableBuilder()
            .session("a")
            .at(at("6", "item"))
            .span("x", 0, 1)
            .session("b")
            .at(at("7", "item"))
            .span("x", 2, 3)
            .session("c")
            .at(at("7", "item"))
            .span("x", 2, 4)
            .table();

    assertThat(session(table, "a").siblings()).isEmpty();
    assertThat(session(table, "b").siblings()).extracting(Sibling::session).containsExactly("c");
  }

  /** weight_sync was 24 s where it took 12 s: a state and a phase of one name were added up. */
  @Test
  void aStateAndAPhaseOfOneNameAreTwoLines() {
    SpanTable table = new TableBuilder().session("a").span("sync", 0, 2).table();
    TableBuilder lanes = new TableBuilder();
    lanes.lane("trainer").span("sync", 0, 3, Outcome.OK, Kind.STATE);
    lanes.lane("thread").span("sync", 0, 4, Outcome.OK, Kind.OP);
    TableBuilder.append(table, lanes.rows());

    assertThat(HotspotsView.of(table, Scope.ALL, CONTEXT).stageStats())
        .extracting(StageStats::stage, StageStats::kind, StageStats::totalS)
        .containsExactlyInAnyOrder(
            tuple("sync", "phase", 2.0), tuple("sync", "state", 3.0), tuple("sync", "op", 4.0));
  }

  /** “engine.generate self 0, generate_sample 100 %”: its process knew of no parent. */
  @Test
  void spansOfAnotherProcessNestedByTimeHaveTheirSelfTime() {
    SpanTable table =
        new TableBuilder()
            .session("a")
            .span("sample", 0, 10)
            .ids(1, 0)
            .span("engine", 2, 9)
            .ids(2, 0)
            .table();
    table.nestByTime(table.findSession("a"));
    SessionSpans spans = TableBuilder.spans(table, "a");
    Accounting accounting = new Accounting();

    accounting.account(spans, 0, Nanos.fromSeconds(10), false);

    assertThat(Nanos.toSeconds(accounting.self(1))).isEqualTo(7);
    assertThat(Nanos.toSeconds(accounting.self(0))).isEqualTo(3);
  }

  /** Seven of eight answers wait in their task's span for the eighth: that is no work. */
  @Test
  void waitingInASpanForTheOthersOfTheGroupIsAWait() {
    SpanTable table =
        new TableBuilder()
            .session("a")
            .at(at("1", "item"))
            .span("group", 0, 12)
            .ids(1, 0)
            .span("generate", 0, 2)
            .ids(2, 1)
            .session("b")
            .at(at("1", "item"))
            .span("group", 0, 12)
            .ids(3, 0)
            .span("generate", 0, 10)
            .ids(4, 3)
            .table();

    SessionReport first = session(table, "a");
    HotspotsReport all = HotspotsView.of(table, Scope.ALL, CONTEXT);

    assertThat(first.waits().siblingsS()).isEqualTo(8);
    assertThat(first.segments().toString()).contains("siblings");
    assertThat(all.waits().siblingsS()).isEqualTo(8);
    assertThat(all.stageStats())
        .extracting(StageStats::stage, StageStats::selfS)
        .containsExactlyInAnyOrder(tuple("group", 4.0), tuple("generate", 12.0));
  }
}
