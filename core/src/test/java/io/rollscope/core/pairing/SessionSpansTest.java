package io.rollscope.core.pairing;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.TableBuilder;
import io.rollscope.core.TableBuilder.Row;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Worker;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class SessionSpansTest {
  private static final double NOW = 100;

  /** Spans in drawing order, as {@code name start-end outcome dDEPTH}. */
  private static List<String> drawn(SessionSpans spans) {
    List<String> drawn = new ArrayList<>();
    long now = Nanos.fromSeconds(NOW);
    for (int i : spans.drawOrder(now)) {
      drawn.add(
          String.format(
              "%s %s-%s %s d%d",
              spans.stage(i),
              plain(spans.start(i)),
              spans.isOpen(i) ? "" : plain(spans.end(i)),
              spans.outcome(i).word(),
              spans.depth(i)));
    }
    return drawn;
  }

  private static String plain(long nanos) {
    double seconds = Nanos.toSeconds(nanos);
    return seconds == Math.rint(seconds) ? String.valueOf((long) seconds) : String.valueOf(seconds);
  }

  private static TableBuilder.SessionBuilder session() {
    return new TableBuilder().session("a");
  }

  // ---- pairing ---------------------------------------------------------------------------------

  @Test
  void anEndClosesTheNewestOpenStartOfItsName() {
    SessionSpans spans = session().start("x", 0).start("x", 1).end("x", 2).end("x", 3).spans();

    assertThat(drawn(spans)).containsExactly("x 0-3 ok d0", "x 1-2 ok d1");
  }

  @Test
  void namesDoNotCloseEachOther() {
    SessionSpans spans = session().start("x", 0).start("y", 1).end("x", 2).end("y", 3).spans();

    assertThat(drawn(spans)).containsExactly("x 0-2 ok d0", "y 1-3 ok d1");
  }

  /** Several worker processes write several files; the first file read may hold the later rows. */
  @Test
  void rowsArePairedInTheOrderTheyHappenedNotInTheOrderTheyWereRead() {
    SessionSpans spans =
        session().end("x", 5).start("x", 3).end("x", 2).start("y", 4).start("x", 1).spans();

    assertThat(drawn(spans)).containsExactly("x 1-2 ok d0", "x 3-5 ok d0", "y 4- open d1");
  }

  /** Two events of the same microsecond. */
  @Test
  void atTheSameTimeTheRowReadFirstHappenedFirst() {
    assertThat(drawn(session().start("x", 1).end("x", 1).spans())).containsExactly("x 1-1 ok d0");
    assertThat(drawn(session().end("x", 1).start("x", 1).spans())).containsExactly("x 1- open d0");
  }

  /** XTuner's sampler has no id before it ends, so only its end is ever written. */
  @Test
  void anEndWithoutAStartBecomesASpanIfItSaysHowLongItTook() {
    assertThat(drawn(session().end("x", 5, 0.5).spans())).containsExactly("x 4.5-5 ok d0");
    assertThat(drawn(session().end("x", 5).spans())).isEmpty();
  }

  @Test
  void aNegativeElapsedTimeCountsAsNone() {
    assertThat(drawn(session().end("x", 5, -3).spans())).containsExactly("x 5-5 ok d0");
  }

  @Test
  void whenAStartExistsTheElapsedTimeDoesNotMoveIt() {
    SessionSpans spans = session().start("x", 1).end("x", 5, 2).spans();

    assertThat(drawn(spans)).containsExactly("x 1-5 ok d0");
  }

  @Test
  void anErrorEndsTheSpanAndGivesItsText() {
    SessionSpans spans = session().start("x", 1).error("x", 2, "TimeoutError: judge").spans();

    assertThat(drawn(spans)).containsExactly("x 1-2 error d0");
    assertThat(spans.error(0)).isEqualTo("TimeoutError: judge");
  }

  @Test
  void aCancellationIsNoError() {
    assertThat(drawn(session().start("x", 1).cancel("x", 2).spans()))
        .containsExactly("x 1-2 cancelled d0");
  }

  @Test
  void aSpanThatHasNotEndedIsOpen() {
    SessionSpans spans = session().start("x", 1).start("y", 2).spans();

    assertThat(drawn(spans)).containsExactly("x 1- open d0", "y 2- open d1");
    assertThat(spans.end(0)).isEqualTo(Nanos.OPEN);
    assertThat(spans.error(0)).isNull();
    assertThat(spans.stage(spans.newestOpen())).isEqualTo("y");
  }

  /** The clock of the viewer may be behind the clock of the writer. */
  @Test
  void anOpenSpanOfTheFutureEndsWhereItStarts() {
    SessionSpans spans = session().start("x", 50).spans();

    assertThat(spans.end(0, Nanos.fromSeconds(10))).isEqualTo(Nanos.fromSeconds(50));
  }

  @Test
  void pointsAreCountedButAreNoSpans() {
    SessionSpans spans = session().point("custom.prepare", 1).start("x", 2).spans();

    assertThat(spans.rowCount()).isEqualTo(2);
    assertThat(spans.count()).isEqualTo(1);
    assertThat(spans.earliestTime()).isEqualTo(Nanos.fromSeconds(1));
  }

  /** A wall clock that was set back between start and end. */
  @Test
  void aWholeSpanThatEndsBeforeItStartsHasNoLength() {
    assertThat(drawn(session().span("x", 5, 3).spans())).containsExactly("x 5-5 ok d0");
  }

  // ---- clocks ----------------------------------------------------------------------------------

  @Test
  void aTenthOfASecondBetweenTheClocksIsTolerated() {
    assertThat(session().start("x", 0).end("x", 5, 4.9).spans().clockDisagrees(0)).isFalse();
    assertThat(session().start("x", 0).end("x", 5, 5.1).spans().clockDisagrees(0)).isFalse();
  }

  /** NTP moved the wall clock while the span was running. */
  @Test
  void moreThanATenthOfASecondBetweenTheClocksIsFlagged() {
    assertThat(session().start("x", 0).end("x", 5, 4.899999999).spans().clockDisagrees(0)).isTrue();
    assertThat(session().start("x", 0).end("x", 5, 5.100000001).spans().clockDisagrees(0)).isTrue();
  }

  @Test
  void withoutASecondClockNothingDisagrees() {
    assertThat(session().start("x", 0).end("x", 5).spans().clockDisagrees(0)).isFalse();
    assertThat(session().end("x", 5, 900).spans().clockDisagrees(0)).isFalse();
  }

  /** The buffer is used for one session after another. */
  @Test
  void aFlagOfOneSessionDoesNotStickToTheNext() {
    SpanTable table =
        session().start("x", 0).end("x", 5, 1).session("b").start("x", 0).end("x", 5).table();
    SessionSpans spans = TableBuilder.spans(table, "a");
    assertThat(spans.clockDisagrees(0)).isTrue();

    spans.load(table.findSession("b"));

    assertThat(spans.clockDisagrees(0)).isFalse();
    assertThat(spans.count()).isEqualTo(1);
  }

  /** A hostile or broken file: the elapsed time reaches back before any time we accept. */
  @Test
  void anAbsurdElapsedTimeCannotMakeTimesOverflow() {
    double limit = 4_611_686_018.0;
    SessionSpans spans = session().end("x", -limit, limit).point("later", limit).spans();

    assertThat(spans.start(0)).isBetween(-Nanos.LIMIT, spans.end(0));
    assertThat(Nanos.fromSeconds(limit) - spans.start(0)).isPositive();
  }

  // ---- where a span belongs --------------------------------------------------------------------

  /** Only the worker knows its rank; the controller, which started the span, does not. */
  @Test
  void whatTheEndSaysCountsAndTheStartFillsTheRest() {
    SessionSpans spans =
        session()
            .steps(3, 2, 4)
            .batch("b3")
            .taskName("gsm8k")
            .word("init")
            .rank(5)
            .start("x", 1)
            .steps(4, null, null)
            .batch(null)
            .taskName("")
            .word("completed")
            .rank(null)
            .end("x", 2)
            .spans();

    assertThat(spans.at(0).trainStep()).isEqualTo(4);
    assertThat(spans.at(0).modelStep()).isEqualTo(2);
    assertThat(spans.at(0).batch()).isEqualTo("b3");
    assertThat(spans.at(0).taskName()).isEqualTo("gsm8k");
    assertThat(spans.at(0).sourceStatus()).isEqualTo("completed");
    assertThat(spans.at(0).worker()).isEqualTo(new Worker(null, 5L));
  }

  @Test
  void onlyRowsInScopeArePaired() {
    SpanTable table = session().batch("old").start("x", 1).batch("new").end("x", 2, 0.5).table();
    boolean[] kept = new boolean[table.coordinatesCount()];
    for (int id = 0; id < kept.length; id++) {
      kept[id] = "new".equals(table.coordinatesOf(id).batch());
    }
    SessionSpans spans = new SessionSpans(table);

    spans.load(0, kept);

    assertThat(spans.rowCount()).isEqualTo(1);
    assertThat(drawn(spans)).containsExactly("x 1.5-2 ok d0");
  }

  // ---- drawing ---------------------------------------------------------------------------------

  @Test
  void spansThatTouchAreNotNested() {
    assertThat(drawn(session().span("p", 0, 1).span("q", 1, 3).spans()))
        .containsExactly("p 0-1 ok d0", "q 1-3 ok d0");
  }

  @Test
  void spansThatOverlapCountAsNested() {
    assertThat(drawn(session().span("p", 0, 2).span("q", 1, 3).spans()))
        .containsExactly("p 0-2 ok d0", "q 1-3 ok d1");
  }

  @Test
  void ofTwoThatStartTogetherTheLongerIsAround() {
    assertThat(drawn(session().span("inner", 0, 2).span("outer", 0, 5).spans()))
        .containsExactly("outer 0-5 ok d0", "inner 0-2 ok d1");
  }

  @Test
  void aSpanWithoutLengthLiesInWhatIsOpenAroundIt() {
    assertThat(drawn(session().span("p", 0, 4).span("z", 2, 2).span("q", 2, 3).spans()))
        .containsExactly("p 0-4 ok d0", "q 2-3 ok d1", "z 2-2 ok d2");
  }

  /** Sixty-four attempts of the same name within each other. */
  @Test
  void deepNestingOfOneNameIsPairedFromTheInside() {
    TableBuilder.SessionBuilder told = session();
    for (int i = 0; i < 64; i++) {
      told.start("x", i);
    }
    for (int i = 63; i >= 0; i--) {
      told.end("x", 200 - i);
    }

    SessionSpans spans = told.spans();

    assertThat(spans.count()).isEqualTo(64);
    int[] order = spans.drawOrder(Nanos.fromSeconds(300));
    for (int i = 0; i < 64; i++) {
      assertThat(spans.start(order[i])).isEqualTo(Nanos.fromSeconds(i));
      assertThat(spans.end(order[i])).isEqualTo(Nanos.fromSeconds(200 - i));
      assertThat(spans.depth(order[i])).isEqualTo(i);
    }
  }

  /** The definition of depth: how many of those drawn before have not ended yet. */
  @Property
  void depthIsHowManyEarlierSpansAreNotOverYet(
      @ForAll @Size(max = 20) List<@IntRange(min = 0, max = 99) Integer> spanTimes) {
    TableBuilder.SessionBuilder told = session().point("begin", 0);
    for (int times : spanTimes) {
      int start = times / 10;
      told.span("x", start, start + times % 10);
    }
    SessionSpans spans = told.spans();

    int[] order = spans.drawOrder(0);

    List<Integer> byStart = new ArrayList<>();
    for (int i = 0; i < spans.count(); i++) {
      byStart.add(i);
    }
    byStart.sort(
        (a, b) ->
            spans.start(a) != spans.start(b)
                ? Long.compare(spans.start(a), spans.start(b))
                : Long.compare(spans.end(b), spans.end(a)));
    for (int k = 0; k < byStart.size(); k++) {
      int span = byStart.get(k);
      long around =
          byStart.subList(0, k).stream().filter(b -> spans.end(b) > spans.start(span)).count();
      assertThat(spans.depth(span)).isEqualTo((int) around);
    }
    assertThat(order).hasSize(spanTimes.size());
  }

  // ---- any order, any size ---------------------------------------------------------------------

  /** Each row at its own time: then the order of reading cannot matter. */
  @Property
  void anyLoadOrderGivesTheSameSpans(
      @ForAll @Size(max = 30) List<@IntRange(min = 0, max = 7) Integer> kinds,
      @ForAll Random random) {
    TableBuilder told = new TableBuilder();
    TableBuilder.SessionBuilder a = told.session("a").point("begin", 0);
    for (int i = 0; i < kinds.size(); i++) {
      String name = kinds.get(i) % 2 == 0 ? "x" : "y";
      switch (kinds.get(i) / 2) {
        case 0, 1 -> a.start(name, i + 1);
        case 2 -> a.end(name, i + 1, 0.25);
        default -> a.error(name, i + 1, "E");
      }
    }
    List<Row> shuffled = new ArrayList<>(told.rows());
    Collections.shuffle(shuffled, random);
    SpanTable table = new SpanTable();
    int cut = random.nextInt(shuffled.size());
    TableBuilder.append(table, shuffled.subList(0, cut));
    TableBuilder.append(table, shuffled.subList(cut, shuffled.size()));

    assertThat(drawn(TableBuilder.spans(table, "a"))).isEqualTo(drawn(a.spans()));
  }

  /** A session that got stuck in a loop of retries. */
  @Test
  void aHundredThousandRowsInOneSessionTakeNoQuadraticTime() {
    TableBuilder told = new TableBuilder();
    TableBuilder.SessionBuilder a = told.session("a");
    for (int i = 0; i < 25_000; i++) {
      a.start("nested", i);
      a.start("flat", i + 0.25).end("flat", i + 0.5);
    }
    for (int i = 0; i < 25_000; i++) {
      a.end("nested", 30_000 + i);
    }
    List<Row> shuffled = new ArrayList<>(told.rows());
    Collections.shuffle(shuffled, new Random(4711));
    SpanTable table = new SpanTable();
    TableBuilder.append(table, shuffled);

    SessionSpans spans =
        Assertions.assertTimeout(
            Duration.ofSeconds(3),
            () -> {
              SessionSpans loaded = TableBuilder.spans(table, "a");
              loaded.drawOrder(0);
              return loaded;
            });

    assertThat(spans.rowCount()).isEqualTo(100_000);
    assertThat(spans.count()).isEqualTo(50_000);
    assertThat(spans.depth(spans.drawOrder(0)[49_999])).isEqualTo(25_000);
  }

  @Test
  void kindsAndOutcomesSurviveInARow() {
    for (Kind kind : Kind.values()) {
      for (Outcome outcome : Outcome.values()) {
        SessionSpans spans = session().span("x", 1, 2, outcome, kind).spans();

        assertThat(spans.kind(0)).isEqualTo(kind);
        assertThat(spans.outcome(0)).isEqualTo(outcome);
      }
    }
  }
}
