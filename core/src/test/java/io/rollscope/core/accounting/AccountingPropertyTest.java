package io.rollscope.core.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.TableBuilder;
import io.rollscope.core.TableBuilder.Row;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class AccountingPropertyTest {

  /** The window the session's time is told for. */
  record Wall(long from, long to, boolean finalised) {}

  // ---- what may come ---------------------------------------------------------------------------

  private static Row span(String name, Kind kind, long start, long end, long id, long parent) {
    Outcome outcome = end == Nanos.OPEN ? Outcome.OPEN : Outcome.OK;
    byte packed = RowKind.of(RowKind.SPAN, outcome, kind);
    return new Row("a", false, packed, name, start, end, Coordinates.NONE, null, id, parent);
  }

  private static Arbitrary<Row> anySpan() {
    Arbitrary<Kind> kinds =
        Arbitraries.of(
            Kind.PHASE, Kind.PHASE, Kind.PHASE, Kind.OP, Kind.STATE, Kind.SESSION, Kind.TASK);
    Arbitrary<Long> lengths =
        Arbitraries.oneOf(
            Arbitraries.longs().between(-2, 9), Arbitraries.just(0L), Arbitraries.just(99L));
    return Combinators.combine(
            Arbitraries.of("x", "y", "a.generate_group"),
            kinds,
            Arbitraries.longs().between(-3, 12),
            lengths,
            Arbitraries.longs().between(0, 6))
        .as(
            (name, kind, start, length, parent) ->
                span(name, kind, start, length == 99 ? Nanos.OPEN : start + length, 0, parent));
  }

  /** Spans of one session; some told twice, in any order; parents may be absent or form circles. */
  @Provide
  Arbitrary<List<Row>> sessions() {
    return Combinators.combine(
            anySpan().list().ofMaxSize(7),
            Arbitraries.integers().between(0, 6).list().ofMaxSize(2),
            Arbitraries.randoms())
        .as(
            (spans, repeated, random) -> {
              List<Row> rows = new ArrayList<>();
              for (Row span : spans) {
                rows.add(span.withIds(rows.size() + 1L, span.parentId()));
              }
              for (int index : repeated) {
                if (index < spans.size()) {
                  rows.add(rows.get(index));
                }
              }
              Collections.shuffle(rows, random);
              return rows;
            });
  }

  @Provide
  Arbitrary<Wall> walls() {
    return Combinators.combine(
            Arbitraries.longs().between(-2, 8),
            Arbitraries.longs().between(-2, 16),
            Arbitraries.of(true, false))
        .as((from, length, finalised) -> new Wall(from, from + length, finalised));
  }

  private static List<Row> withoutIds(List<Row> rows) {
    return rows.stream().map(r -> r.withIds(0, 0)).toList();
  }

  // ---- what must come out ----------------------------------------------------------------------

  private static SpanTable table(List<Row> rows) {
    SpanTable table = new SpanTable();
    // A session that has no rows at all is told by a point outside of every window.
    byte point = RowKind.of(RowKind.POINT, Outcome.OK, Kind.PHASE);
    List<Row> all = new ArrayList<>(rows);
    all.add(new Row("a", false, point, "p", 0, Nanos.UNKNOWN, Coordinates.NONE, null, 0, 0));
    TableBuilder.append(table, all);
    return table;
  }

  private static Map<String, Long> told(SpanTable table, Wall wall) {
    SessionSpans spans = TableBuilder.spans(table, "a");
    Accounting accounting = new Accounting();
    accounting.account(spans, wall.from(), wall.to(), wall.finalised());
    Map<String, Long> told = new TreeMap<>();
    long sum = 0;
    for (int i = 0; i < spans.count(); i++) {
      String name = table.nameOf(spans.name(i)).raw();
      String label = LiteralAccounting.label(name, spans.start(i), spans.end(i), spans.spanId(i));
      if (accounting.self(i) != 0) {
        told.merge(label, accounting.self(i), Long::sum);
      }
      assertThat(accounting.self(i)).isNotNegative();
      sum += accounting.self(i);
    }
    told.put("queue", accounting.queue());
    told.put("gap", accounting.gap());
    told.put("barrier", accounting.barrier());
    told.put("unaccounted", accounting.unaccounted());
    sum += accounting.queue() + accounting.gap();
    sum += accounting.barrier() + accounting.unaccounted();
    assertThat(sum).as("all self times and waits").isEqualTo(accounting.wall());
    assertThat(accounting.wall()).isEqualTo(Math.max(0, wall.to() - wall.from()));
    told.put("outside", accounting.outside());
    told.put("work end", accounting.workEnd());
    told.put("own end", accounting.ownEnd());
    for (int k = 0; k < accounting.candidateCount(); k++) {
      long length = accounting.candidateTo(k) - accounting.candidateFrom(k);
      assertThat(length).isBetween(1L, accounting.self(accounting.candidateLeaf(k)));
      for (long t = 0; t < Math.min(length, 99); t++) {
        told.put("candidate " + (accounting.candidateFrom(k) + t), 1L);
      }
    }
    return told;
  }

  private static Map<String, Long> expected(List<Row> rows, boolean byParent, Wall wall) {
    LiteralAccounting literal =
        new LiteralAccounting(
            rows, byParent, wall.from(), Math.max(wall.from(), wall.to()), wall.finalised());
    Map<String, Long> expected = new TreeMap<>(literal.self);
    expected.put("queue", literal.queue);
    expected.put("gap", literal.gap);
    expected.put("barrier", literal.barrier);
    expected.put("unaccounted", literal.unaccounted);
    expected.put("outside", literal.outside);
    expected.put("work end", literal.workEnd);
    expected.put("own end", literal.ownEnd);
    literal.candidates.forEach(t -> expected.put("candidate " + t, 1L));
    return expected;
  }

  /** Occupancy over time is drawn from the pieces. */
  @Property(tries = 2_000)
  void piecesCoverTheWindowOnceAndAddUpToWhatIsTold(
      @ForAll("sessions") List<Row> rows,
      @ForAll("walls") Wall wall,
      @ForAll @LongRange(min = -5, max = 20) long othersEnd) {
    SessionSpans spans = TableBuilder.spans(table(rows), "a");
    Accounting accounting = new Accounting();
    Map<Integer, Long> sums = new TreeMap<>();
    Set<Long> covered = new TreeSet<>();
    accounting.tell(
        (leaf, from, to) -> {
          sums.merge(leaf, to - from, Long::sum);
          for (long t = from; t < to; t++) {
            assertThat(covered.add(t)).as("instant %s told once", t).isTrue();
          }
        },
        othersEnd);
    accounting.account(spans, wall.from(), wall.to(), wall.finalised());
    Map<Integer, Long> told = new TreeMap<>();
    for (int i = 0; i < spans.count(); i++) {
      told.put(i, accounting.self(i));
    }
    for (int k = 0; k < accounting.candidateCount(); k++) {
      long cut =
          SiblingWaits.cut(accounting.candidateFrom(k), accounting.candidateTo(k), othersEnd);
      told.merge(accounting.candidateLeaf(k), -cut, Long::sum);
    }
    told.put(Pieces.SIBLINGS, accounting.siblings(othersEnd));
    told.put(Pieces.QUEUE, accounting.queue());
    told.put(Pieces.GAP, accounting.gap());
    told.put(Pieces.BARRIER, accounting.barrier());
    told.put(Pieces.UNACCOUNTED, accounting.unaccounted());
    told.values().removeIf(sum -> sum == 0);
    assertThat(sums).isEqualTo(told);
    assertThat(covered).hasSize((int) accounting.wall());
    assertThat(covered).allMatch(t -> t >= wall.from() && t < wall.to());
  }

  /** Sources with parent ids: OTLP. */
  @Property(tries = 5_000)
  void withParentIdsEveryInstantGoesWhereTheContractSays(
      @ForAll("sessions") List<Row> rows, @ForAll("walls") Wall wall) {
    assertThat(told(table(rows), wall)).isEqualTo(expected(rows, !rows.isEmpty(), wall));
  }

  /** Sources without parent ids: XTuner's producer trace, AReaL's sessions. */
  @Property(tries = 5_000)
  void withoutParentIdsEveryInstantGoesWhereTheContractSays(
      @ForAll("sessions") List<Row> rows, @ForAll("walls") Wall wall) {
    List<Row> plain = withoutIds(rows);

    assertThat(told(table(plain), wall)).isEqualTo(expected(plain, false, wall));
  }

  /** A run that is written by two tools, of which only one knows parents. */
  @Property
  void aSessionWithoutParentIdsIsToldTheSameInATableThatHasSome(
      @ForAll("sessions") List<Row> rows, @ForAll("walls") Wall wall) {
    List<Row> plain = withoutIds(rows);
    SpanTable table = table(plain);
    Row other = new Row("b", false, (byte) 2, "x", 0, 5, Coordinates.NONE, null, 7, 8);
    TableBuilder.append(table, List.of(other));

    assertThat(told(table, wall)).isEqualTo(expected(plain, false, wall));
  }

  /** Files are read in order of name, polls take what is there: no answer may depend on it. */
  @Property
  void anyLoadOrderAndAnyCutIntoChunksGivesTheSameAnswer(
      @ForAll("sessions") List<Row> rows,
      @ForAll("walls") Wall wall,
      @ForAll boolean ids,
      @ForAll Random random) {
    List<Row> told = ids ? rows : withoutIds(rows);
    List<Row> shuffled = new ArrayList<>(told);
    Collections.shuffle(shuffled, random);
    SpanTable cut = table(List.of());
    for (int from = 0; from < shuffled.size(); ) {
      int to = Math.min(shuffled.size(), from + 1 + random.nextInt(3));
      TableBuilder.append(cut, shuffled.subList(from, to));
      from = to;
    }

    assertThat(told(cut, wall)).isEqualTo(told(table(told), wall));
  }

  /** Starts and ends that were written by several processes, each at a time of its own. */
  @Property
  void startsAndEndsInAnyLoadOrderGiveTheSameAnswer(
      @ForAll List<@IntRange(min = 0, max = 5) Integer> kinds, @ForAll Random random) {
    TableBuilder run = new TableBuilder();
    TableBuilder.SessionBuilder a = run.session("a").point("begin", 0);
    for (int i = 0; i < kinds.size(); i++) {
      String name = List.of("x", "y", "z").get(kinds.get(i) % 3);
      if (kinds.get(i) < 3) {
        a.start(name, i + 1);
      } else {
        a.end(name, i + 1, 0.5);
      }
    }
    List<Row> shuffled = new ArrayList<>(run.rows());
    Collections.shuffle(shuffled, random);
    SpanTable other = new SpanTable();
    TableBuilder.append(other, shuffled);
    Wall wall = new Wall(0, Nanos.fromSeconds(kinds.size() + 3), random.nextBoolean());

    assertThat(told(other, wall)).isEqualTo(told(a.table(), wall));
  }

  /** Clocks that stand at 1970 or in 2116: the sum must be exact all the same. */
  @Property
  void theSumIsExactForTimesAsFarApartAsTheyCanBe(
      @ForAll("sessions") List<Row> rows, @ForAll boolean ids, @ForAll Random random) {
    List<Row> stretched = new ArrayList<>();
    for (Row row : ids ? rows : withoutIds(rows)) {
      long start = random.nextLong() >> 1;
      long end = row.extent() == Nanos.OPEN ? Nanos.OPEN : random.nextLong() >> 1;
      stretched.add(
          span(row.name(), RowKind.kind(row.kind()), start, end, row.spanId(), row.parentId()));
    }
    long one = random.nextLong() >> 1;
    long two = random.nextLong() >> 1;
    Wall wall = new Wall(Math.min(one, two), Math.max(one, two), random.nextBoolean());

    assertThat(told(table(stretched), wall).get("outside")).isNotNegative();
  }
}
