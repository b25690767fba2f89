package io.rollscope.core.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.TableBuilder;
import io.rollscope.core.TableBuilder.Row;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SpanTableTest {

  private static List<String> told(SpanTable table) {
    List<String> rows = new ArrayList<>();
    for (int row = 0; row < table.rows(); row++) {
      rows.add(
          table.key(table.session(row))
              + " "
              + table.nameOf(table.name(row)).raw()
              + " "
              + table.time(row)
              + " "
              + table.coordinatesOf(table.coordinates(row)).batch()
              + " "
              + table.noteText(table.note(row)));
    }
    return rows;
  }

  private static List<Row> rows(List<Integer> choices) {
    TableBuilder run = new TableBuilder();
    for (int i = 0; i < choices.size(); i++) {
      int choice = choices.get(i);
      run.session("s" + choice % 5)
          .batch("b" + choice % 3)
          .error("name" + choice % 4, i, choice % 2 == 0 ? null : "error " + choice % 7);
    }
    return run.rows();
  }

  /** Threads read pieces, and a live reader reads what has come since its last look. */
  @Property
  void howRowsWereCutIntoChunksMakesNoDifference(
      @ForAll @Size(min = 1, max = 60) List<@IntRange(min = 0, max = 1000) Integer> choices,
      @ForAll Random random) {
    List<Row> rows = rows(choices);
    SpanTable whole = new SpanTable();
    TableBuilder.append(whole, rows);
    SpanTable cut = new SpanTable();
    List<Chunk.Words> threads = List.of(new Chunk.Words(), new Chunk.Words());
    for (int from = 0; from < rows.size(); ) {
      int to = Math.min(rows.size(), from + 1 + random.nextInt(8));
      TableBuilder.append(cut, rows.subList(from, to), threads.get(random.nextInt(2)));
      from = to;
    }

    assertThat(told(cut)).isEqualTo(told(whole));
    List<String> keys = new ArrayList<>();
    List<String> wholeKeys = new ArrayList<>();
    for (int s = 0; s < whole.sessionCount(); s++) {
      keys.add(cut.key(s) + " " + cut.rowCount(s));
      wholeKeys.add(whole.key(s) + " " + whole.rowCount(s));
    }
    assertThat(keys).as("sessions, in the order first seen").isEqualTo(wholeKeys);
  }

  /** Reports show ties in the order first seen. */
  @Test
  void sessionsNamesAndCoordinatesAreNumberedInTheOrderFirstSeen() {
    SpanTable table =
        new TableBuilder()
            .session("b")
            .batch("b2")
            .start("y", 1)
            .session("a")
            .batch("b1")
            .start("x", 2)
            .session("c")
            .start("z", 3)
            .table();

    assertThat(List.of(table.key(0), table.key(1), table.key(2))).containsExactly("b", "a", "c");
    assertThat(table.nameOf(0).raw()).isEqualTo("y");
    assertThat(table.coordinatesOf(0).batch()).isEqualTo("b2");
  }

  @Test
  void tokensTakeMemoryOnlyWhereCallsSayThem() {
    SpanTable table = new TableBuilder().session("a").point("p", 5).point("p", 9).table();
    long before = table.bytes();

    table.tokens(0, -1, -1);
    assertThat(table.bytes()).isEqualTo(before);
    table.tokens(1, 412, 3_000_000_000L);

    assertThat(table.bytes()).isGreaterThan(before);
    assertThat(table.inputTokens(0)).isEqualTo(-1);
    assertThat(table.inputTokens(1)).isEqualTo(412);
    assertThat(table.outputTokens(1)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void timesInTheQueueTakeMemoryOnlyWhereCallsSayThem() {
    SpanTable table = new TableBuilder().session("a").point("p", 5).point("p", 9).table();
    long before = table.bytes();

    table.queued(0, Nanos.UNKNOWN);
    assertThat(table.bytes()).isEqualTo(before);
    table.queued(1, 0);

    assertThat(table.bytes()).isGreaterThan(before);
    assertThat(table.queuedNs(0)).isEqualTo(Nanos.UNKNOWN);
    assertThat(table.queuedNs(1)).isZero();
  }

  /** Rows of a chunk that say nothing are between those that do, and behind its growing. */
  @Test
  void whatCallsOfAChunkSayStaysWithTheirRows() {
    Chunk chunk = new Chunk(new Chunk.Words());
    int session = chunk.words.sessions.intern("s");
    int name = chunk.words.names.intern(new SpanName("n", "n"));
    int place = chunk.words.coordinates.intern(Coordinates.NONE);
    SpanTable table = new SpanTable();
    for (int piece = 0; piece < 2; piece++) {
      for (int i = 0; i < 3_000; i++) {
        byte kind = RowKind.of(RowKind.SPAN, Outcome.OK, Kind.PHASE);
        chunk.add(session, kind, name, i, i + 1, place, -1, 0);
        if (piece == 0 && i % 1_000 == 7) {
          chunk.tokens(i, -1);
          chunk.queued(2L * i);
        }
      }
      table.append(chunk, 0);
      chunk.clear();
    }

    for (int row = 0; row < table.rows(); row++) {
      boolean says = row < 3_000 && row % 1_000 == 7;
      assertThat(table.inputTokens(row)).as("row " + row).isEqualTo(says ? row : -1);
      assertThat(table.outputTokens(row)).isEqualTo(-1);
      assertThat(table.queuedNs(row)).isEqualTo(says ? 2L * row : Nanos.UNKNOWN);
    }
  }

  /** AReaL restarts its ids when a run is resumed into the same file. */
  @Test
  void aSessionWhoseIdIsTakenGetsANumber() {
    SpanTable table = new SpanTable();
    for (int i = 0; i < 3; i++) {
      Chunk chunk = new Chunk(new Chunk.Words());
      chunk.session(
          new SessionFacts(
              "r0-t1-s1",
              null,
              null,
              null,
              Coordinates.NONE,
              Nanos.UNKNOWN,
              Nanos.UNKNOWN,
              null,
              null,
              RewardAndTokens.NONE,
              false),
          0);
      table.append(chunk, 0);
    }

    assertThat(table.sessionCount()).isEqualTo(3);
    assertThat(table.findSession("r0-t1-s1")).isEqualTo(0);
    assertThat(table.findSession("r0-t1-s1#2")).isEqualTo(1);
    assertThat(table.findSession("r0-t1-s1#3")).isEqualTo(2);
  }

  @Test
  void theNewestTimeOfEachPlaceIsRememberedWithTheFirstRowThatHadIt() {
    SpanTable table =
        new TableBuilder()
            .session("a")
            .batch("b1")
            .point("p", 5)
            .point("p", 9)
            .point("p", 9)
            .point("p", 2)
            .table();

    assertThat(table.lastSeen(0)).isEqualTo(Nanos.fromSeconds(9));
    assertThat(table.lastSeenRow(0)).isEqualTo(1);
    assertThat(table.newestInstant(0)).isEqualTo(Nanos.fromSeconds(9));
  }

  /** A bad line is noticed after some of its rows were added. */
  @Test
  void rowsThatWereTakenBackAreGone() {
    Chunk chunk = new Chunk(new Chunk.Words());
    int name = chunk.words.names.intern(new SpanName("x", "x"));
    int place = chunk.words.coordinates.intern(Coordinates.NONE);
    byte kind = RowKind.of(RowKind.POINT, Outcome.OK, Kind.PHASE);
    chunk.add(chunk.words.sessions.intern("a"), kind, name, 1, Nanos.UNKNOWN, place, -1, 0);
    int mark = chunk.rows();
    chunk.add(chunk.words.sessions.intern("a"), kind, name, 2, Nanos.UNKNOWN, place, -1, 0);
    chunk.rollback(mark);
    SpanTable table = new SpanTable();

    table.append(chunk, 0);

    assertThat(table.rows()).isEqualTo(1);
    assertThat(table.newestInstant(0)).isEqualTo(1);
  }

  /** Where a line is must survive for folders of thousands of large files. */
  @Test
  void fileAndOffsetOfARowAreKept() {
    SpanTable table = new SpanTable();
    Chunk chunk = new Chunk(new Chunk.Words());
    long offset = (1L << 44) - 1;
    chunk.add(
        chunk.words.sessions.intern("a"),
        RowKind.of(RowKind.POINT, Outcome.OK, Kind.PHASE),
        chunk.words.names.intern(new SpanName("x", "x")),
        1,
        Nanos.UNKNOWN,
        chunk.words.coordinates.intern(Coordinates.NONE),
        -1,
        offset);

    table.append(chunk, 12_345);

    assertThat(table.file(0)).isEqualTo(12_345);
    assertThat(table.offset(0)).isEqualTo(offset);
  }
}
