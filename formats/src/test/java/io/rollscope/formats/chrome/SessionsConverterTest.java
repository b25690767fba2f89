package io.rollscope.formats.chrome;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Worker;
import io.rollscope.core.table.Chunk;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.formats.folder.FolderReader;
import io.rollscope.formats.folder.SourcePath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class SessionsConverterTest {
  private static final long NOW = 1_781_000_900_000_000_000L;

  static SpanTable read(Path source) throws IOException {
    FolderReader reader =
        new FolderReader(new SourcePath(source.toString()), null, null, Long.MAX_VALUE);
    reader.readAll();
    return reader.runs().newest().table();
  }

  @Test
  void xtunerSessionsBecomeNestedSlicesOfTheirWorkers() throws Exception {
    AsyncEvents events = AsyncEvents.of(read(Perf.sample("xtuner/run1")), NOW);

    events.replay();
    assertThat(events.result.sessions()).isEqualTo(576);
    assertThat(events.nested)
        .contains("engine.generate in rollout_worker.generate", "producer.generate in dapo_math:0");
    assertThat(names(events)).contains("rank 5").last().isEqualTo("unknown worker");
    assertThat(events.trace.at("/otherData/base_time_ns").asText())
        .isEqualTo(Long.toString(events.result.baseNs()))
        .startsWith("1781000000");
  }

  private static List<String> names(AsyncEvents events) {
    return events.withPhase("M").stream()
        .filter(e -> e.get("name").asText().equals("process_name"))
        .map(e -> e.at("/args/name").asText())
        .toList();
  }

  @Test
  void openSpansEndNowAndSaySo() throws Exception {
    AsyncEvents events = AsyncEvents.of(read(Perf.sample("xtuner/run1")), NOW);

    List<JsonNode> open =
        events.withPhase("b").stream()
            .filter(e -> e.at("/args/outcome").asText().equals("open"))
            .toList();
    Set<String> running =
        open.stream().map(e -> e.at("/args/session").asText()).collect(Collectors.toSet());
    assertThat(running).contains("dapo_math:124", "dapo_math:236");
    double now = (NOW - events.result.baseNs()) / 1e3;
    assertThat(
            events.withPhase("e").stream()
                .filter(e -> e.get("name").asText().equals("dapo_math:124"))
                .map(e -> e.get("ts").asDouble()))
        .containsExactly(now);
  }

  @Test
  void errorsAndFatesAreArguments() throws Exception {
    AsyncEvents events = AsyncEvents.of(read(Perf.sample("xtuner/run1")), NOW);

    List<JsonNode> failed =
        events.withPhase("b").stream()
            .filter(e -> e.at("/args/outcome").asText().equals("error"))
            .toList();
    assertThat(failed).hasSize(33 + 19).allMatch(e -> e.at("/args/error").asText().length() > 0);
    JsonNode span = failed.get(0).get("args");
    assertThat(span.get("raw_name").asText()).startsWith("xtuner.");
    assertThat(span.has("stage") && span.has("status") && span.has("train_step")).isTrue();
  }

  @Test
  void arealSessionsWithOverlappingPhasesGetFurtherRows() throws Exception {
    AsyncEvents events = AsyncEvents.of(read(Perf.sample("areal/current/session_tracer")), NOW);
    events.replay();
    assertThat(events.result.sessions()).isEqualTo(816);
    assertThat(names(events)).containsExactly("rank 0", "rank 1");

    AsyncEvents overlapping =
        AsyncEvents.of(read(Perf.sample("areal/edge/sessions-overlapping-generate.jsonl")), NOW);
    overlapping.replay();
  }

  @Test
  void perfLanesAreTracksWithoutAFate() throws Exception {
    AsyncEvents events = AsyncEvents.of(read(Perf.sample("areal/current/perf_tracer")), NOW);

    events.replay();
    assertThat(events.result.sessions()).isZero();
    assertThat(events.result.points()).isEqualTo(26);
    assertThat(events.withPhase("b")).allMatch(e -> e.get("cat").asText().equals("lane"));
    assertThat(events.withPhase("b")).noneMatch(e -> e.get("args").has("status"));
  }

  /**
   * A row of a session.
   *
   * @param form as in {@link RowKind}
   */
  record Row(int session, int form, int name, long time, long length) {}

  @Provide
  Arbitrary<List<Row>> rows() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 2),
            Arbitraries.integers().between(0, 3),
            Arbitraries.integers().between(0, 2),
            Arbitraries.longs().between(0, 12),
            Arbitraries.longs().between(-1, 8))
        .as(Row::new)
        .list()
        .ofMaxSize(30);
  }

  @Property
  void replayingTheEventsOfAnIdAlwaysMatches(@ForAll("rows") List<Row> rows, @ForAll boolean early)
      throws Exception {
    SpanTable table = table(rows);

    AsyncEvents events = AsyncEvents.of(table, early ? 5 : 100);

    events.replay();
    long points = rows.stream().filter(r -> r.form() == RowKind.POINT).count();
    assertThat(events.withPhase("n")).hasSize((int) points);
  }

  private static SpanTable table(List<Row> rows) {
    Chunk chunk = new Chunk(new Chunk.Words());
    int at =
        chunk.words.coordinates.intern(
            new Coordinates("b", 1L, null, null, "t", "n", new Worker("actor", 1L), "running"));
    for (Row row : rows) {
      int session = chunk.words.sessions.intern("s" + row.session());
      int name = chunk.words.names.intern(new SpanName("raw" + row.name(), "n" + row.name()));
      boolean open = row.length() < 0;
      long extent =
          switch (row.form()) {
            case RowKind.SPAN -> open ? Nanos.OPEN : row.time() + row.length();
            case RowKind.END -> open ? Nanos.UNKNOWN : row.length();
            default -> Nanos.UNKNOWN;
          };
      Outcome outcome = open ? Outcome.OPEN : Outcome.OK;
      byte kind = RowKind.of(row.form(), outcome, Kind.PHASE);
      chunk.add(session, kind, name, row.time(), extent, at, -1, 0);
    }
    SpanTable table = new SpanTable();
    table.append(chunk, 0);
    return table;
  }
}
