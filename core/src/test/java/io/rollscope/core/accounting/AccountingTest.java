package io.rollscope.core.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.TableBuilder;
import io.rollscope.core.TableBuilder.SessionBuilder;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.time.Nanos;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** What contracts.md 5.1 to 5.6 mean for sessions one meets. */
class AccountingTest {

  private static SessionBuilder session() {
    return new TableBuilder().session("a");
  }

  /** Seconds by stage and by wait, without zeros. */
  private static Map<String, Double> time(
      SessionBuilder told, double from, double to, boolean finalised) {
    SessionSpans spans = told.spans();
    Accounting accounting = new Accounting();
    accounting.account(spans, Nanos.fromSeconds(from), Nanos.fromSeconds(to), finalised);
    Map<String, Double> seconds = new TreeMap<>();
    for (int i = 0; i < spans.count(); i++) {
      put(seconds, spans.stage(i), accounting.self(i));
    }
    put(seconds, "queue", accounting.queue());
    put(seconds, "gap", accounting.gap());
    put(seconds, "barrier", accounting.barrier());
    put(seconds, "unaccounted", accounting.unaccounted());
    put(seconds, "outside", accounting.outside());
    return seconds;
  }

  private static void put(Map<String, Double> seconds, String what, long nanos) {
    if (nanos != 0) {
      seconds.merge(what, Nanos.toSeconds(nanos), Double::sum);
    }
  }

  /** A producer that waits for a worker that waits for the engine. */
  @Test
  void nestedSpansGetOnlyTheTimeTheirChildrenLeave() {
    SessionBuilder told =
        session().span("producer", 0, 10).span("worker", 1, 9).span("engine", 3, 8);

    assertThat(time(told, 0, 10, false))
        .isEqualTo(Map.of("producer", 2.0, "worker", 3.0, "engine", 5.0));
  }

  @Test
  void waitsAreNamedByWhereTheyLie() {
    SessionBuilder told = session().span("x", 2, 3).span("y", 5, 6);

    assertThat(time(told, 0, 10, true))
        .isEqualTo(Map.of("queue", 2.0, "x", 1.0, "gap", 2.0, "y", 1.0, "barrier", 4.0));
    assertThat(time(told, 0, 10, false))
        .containsEntry("unaccounted", 4.0)
        .doesNotContainKey("barrier");
  }

  /** Dropped before it ever ran. */
  @Test
  void aSessionWithoutSpansOnlyQueued() {
    assertThat(time(session().point("p", 0), 0, 7, true)).isEqualTo(Map.of("queue", 7.0));
  }

  /** Two tool calls at once: the session goes on when the longer one is back. */
  @Test
  void ofSiblingsAtOnceTheOneThatEndsLastBlocks() {
    SessionBuilder told =
        session()
            .span("agent", 0, 10)
            .ids(1, 0)
            .span("short", 1, 4)
            .ids(2, 1)
            .span("long", 2, 9)
            .ids(3, 1);

    assertThat(time(told, 0, 10, false)).isEqualTo(Map.of("agent", 2.0, "short", 1.0, "long", 7.0));
  }

  /** Work that was started and not waited for. */
  @Test
  void aChildThatOutlivesItsParentGoesOnBlocking() {
    SessionBuilder told = session().span("parent", 0, 5).ids(1, 0).span("child", 3, 8).ids(2, 1);

    assertThat(time(told, 0, 8, false)).isEqualTo(Map.of("parent", 3.0, "child", 5.0));
  }

  @Test
  void anOpenSpanBlocksUntilNow() {
    SessionBuilder told = session().start("outer", 0).start("stuck", 4);

    assertThat(time(told, 0, 100, false)).isEqualTo(Map.of("outer", 4.0, "stuck", 96.0));
  }

  /** While only the session span is open nothing works: it is a wait. */
  @Test
  void containersAreNotWork() {
    SessionBuilder told =
        session()
            .span("session", 0, 10, Outcome.OK, Kind.SESSION)
            .ids(1, 0)
            .span("generate", 2, 6)
            .ids(2, 1);

    assertThat(time(told, 0, 10, true))
        .isEqualTo(Map.of("queue", 2.0, "generate", 4.0, "barrier", 4.0));
  }

  /** OTLP sends children first: that the parent is still open says nothing about who works. */
  @Test
  void aParentNeverSeenIsNotWork() {
    SessionBuilder told =
        session()
            .open(SpanName.NOT_YET_SEEN.raw(), 0)
            .ids(1, 0)
            .span("generate", 0, 4)
            .ids(2, 1)
            .span("judge", 6, 7)
            .ids(3, 1);

    assertThat(time(told, 0, 10, false))
        .isEqualTo(Map.of("generate", 4.0, "gap", 2.0, "judge", 1.0, "unaccounted", 3.0));
  }

  @Test
  void aContainerBetweenTwoSpansIsLookedThrough() {
    SessionBuilder told =
        session()
            .span("outer", 0, 10)
            .ids(1, 0)
            .span("task", 1, 9, Outcome.OK, Kind.TASK)
            .ids(2, 1)
            .span("inner", 2, 5)
            .ids(3, 2);

    assertThat(time(told, 0, 10, true)).isEqualTo(Map.of("outer", 7.0, "inner", 3.0));
  }

  /** Submitted late by the clock of another machine. */
  @Test
  void whatLiesOutsideTheWindowIsCountedApart() {
    SessionBuilder told = session().span("x", -3, 2).span("y", 4, 15);

    assertThat(time(told, 0, 10, true))
        .isEqualTo(Map.of("x", 2.0, "gap", 2.0, "y", 6.0, "outside", 8.0));
  }

  /** A sampler that takes no measurable time. */
  @Test
  void aSpanWithoutLengthStillTellsQueueFromGap() {
    SessionBuilder told = session().span("sampler", 1, 1).span("x", 4, 5).span("put", 8, 8);

    assertThat(time(told, 0, 10, true))
        .isEqualTo(Map.of("queue", 1.0, "gap", 6.0, "x", 1.0, "barrier", 2.0));
  }

  @Test
  void spansThatNameEachOtherAsParentLoseNoTime() {
    SessionBuilder told =
        session().span("x", 0, 4).ids(1, 2).span("y", 2, 6).ids(2, 1).span("self", 7, 9).ids(3, 3);

    assertThat(time(told, 0, 10, true))
        .isEqualTo(Map.of("x", 2.0, "y", 2.0, "gap", 3.0, "self", 2.0, "barrier", 1.0));
  }

  /** A store may hold an older version of a span until its segments are compacted. */
  @Test
  void twoVersionsOfASpanAreTheSameParent() {
    SessionBuilder told =
        session().span("x", 0, 4).ids(1, 0).span("x", 0, 9).ids(1, 0).span("child", 1, 5).ids(2, 1);

    assertThat(time(told, 0, 9, false)).isEqualTo(Map.of("x", 5.0, "child", 4.0));
  }

  @Test
  void aWindowThatEndsBeforeItBeginsIsEmpty() {
    assertThat(time(session().span("x", 1, 2), 5, 3, true)).isEqualTo(Map.of("outside", 1.0));
  }

  /** A session that got stuck in a loop of retries. */
  @Test
  void fiftyThousandSpansTakeNoQuadraticTime() {
    SessionBuilder told = session().span("root", 0, 1e6).ids(1, 0);
    for (int i = 0; i < 50_000; i++) {
      told.span("try", i, i + 1.5).ids(i + 2, 1);
    }
    SessionSpans spans = told.spans();
    Accounting accounting = new Accounting();

    Assertions.assertTimeout(
        Duration.ofSeconds(3), () -> accounting.account(spans, 0, Nanos.fromSeconds(1e6), true));

    assertThat(accounting.self(0)).isEqualTo(Nanos.fromSeconds(1e6 - 50_000.5));
  }

  // ---- the window ------------------------------------------------------------------------------

  private static Window window(SessionBuilder told, Status status, double now) {
    return Window.of(told.spans(), status, Nanos.fromSeconds(now));
  }

  private static Window seconds(double from, double to, boolean finalised) {
    return new Window(Nanos.fromSeconds(from), Nanos.fromSeconds(to), finalised);
  }

  @Test
  void aSessionLastsFromSubmissionToFinalisation() {
    SessionBuilder told = session().facts(1.0, 9.0, null, null).span("x", 3, 4);

    assertThat(window(told, Status.ACCEPTED, 50)).isEqualTo(seconds(1, 9, true));
  }

  @Test
  void aRunningSessionLastsUntilNow() {
    assertThat(window(session().start("x", 3), Status.RUNNING, 50))
        .isEqualTo(seconds(3, 50, false));
  }

  @Test
  void aFinishedSessionThatNobodyFinalisedLastsUntilItsLastEvent() {
    SessionBuilder told = session().start("x", 3).end("x", 5).point("p", 7);

    assertThat(window(told, Status.COMPLETED, 50)).isEqualTo(seconds(3, 7, false));
  }

  /** Only the end of its first span was written, with how long it took. */
  @Test
  void aSpanToldByItsEndBeginsTheSession() {
    assertThat(window(session().end("x", 5, 2), Status.QUEUED, 50)).isEqualTo(seconds(3, 5, false));
  }

  @Test
  void aSessionFinalisedBeforeItWasSubmittedHasNoLength() {
    SessionBuilder told = session().facts(9.0, 1.0, null, null).span("x", 3, 4);

    assertThat(window(told, Status.ACCEPTED, 50)).isEqualTo(seconds(9, 9, true));
  }

  /** A session that never ends draws one group after another: its accounting took minutes. */
  @Test
  void aSessionOfManyGroupsIsAccountedAtOnce() {
    int groups = 100_000;
    SessionBuilder told = session();
    for (int i = 0; i < groups; i++) {
      told.span("a.generate_group", 10.0 * i, 10.0 * i + 8).span("b", 10.0 * i + 1, 10.0 * i + 5);
    }
    SessionSpans spans = told.spans();
    Accounting accounting = new Accounting();
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(90),
        () -> accounting.account(spans, 0, Nanos.fromSeconds(10.0 * groups), true));
    assertThat(accounting.candidateCount()).isEqualTo(groups);
    assertThat(accounting.ownEnd()).isEqualTo(Nanos.fromSeconds(5));
  }
}
