package io.rollscope.formats.folder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rollscope.core.view.LiveBoard;
import io.rollscope.core.view.Scope;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * A run that is being written while it is looked at, in any way a recorder, a rotation, a sync or a
 * user can do it: at the end the follower knows exactly what somebody who comes then would read.
 */
class TailTest {
  private static final int FILES = 3;

  /** What happens to one of the files. */
  enum Happening {
    /** Some bytes are appended: rarely whole lines, sometimes half a character. */
    APPEND,
    /** The follower looks. */
    POLL,
    /** It is renamed and a new one begun. */
    ROTATE,
    /** It is written anew in place, with as many bytes. */
    REWRITE,
    /** It is written anew in place, with more bytes. */
    REWRITE_LONGER,
    /** Another file is put in its place, as rsync does. */
    REPLACE,
    /** It is emptied. */
    TRUNCATE,
    DELETE
  }

  record Step(Happening happening, int file, int bytes) {}

  @Property(tries = 80)
  void followingARunOfXTunerEndsWhereReadingItAnewEnds(@ForAll("steps") List<Step> steps)
      throws IOException {
    check(Sort.XTUNER, lines("lines/xtuner.jsonl"), steps);
  }

  @Property(tries = 80)
  void followingOtlpEndsWhereReadingItAnewEnds(@ForAll("steps") List<Step> steps)
      throws IOException {
    check(Sort.OTLP, lines("lines/otlp.jsonl"), steps);
  }

  @Property(tries = 80)
  void followingSessionsOfArealEndsWhereReadingThemAnewEnds(@ForAll("steps") List<Step> steps)
      throws IOException {
    check(
        Sort.AREAL_SESSIONS,
        lines("areal/current/session_tracer/sessions-r0.jsonl").subList(0, 60),
        steps);
  }

  @Property(tries = 80)
  void followingPerfEventsOfArealEndsWhereReadingThemAnewEnds(@ForAll("steps") List<Step> steps)
      throws IOException {
    check(
        Sort.AREAL_PERF, lines("areal/current/perf_tracer/traces-r0.jsonl").subList(0, 90), steps);
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Happening> happening =
        Arbitraries.frequency(
            Tuple.of(30, Happening.APPEND),
            Tuple.of(20, Happening.POLL),
            Tuple.of(2, Happening.ROTATE),
            Tuple.of(1, Happening.REWRITE),
            Tuple.of(1, Happening.REWRITE_LONGER),
            Tuple.of(1, Happening.REPLACE),
            Tuple.of(1, Happening.TRUNCATE),
            Tuple.of(1, Happening.DELETE));
    return Combinators.combine(
            happening,
            Arbitraries.integers().between(0, FILES - 1),
            Arbitraries.integers().between(1, 3_000))
        .as(Step::new)
        .list()
        .ofMinSize(3)
        .ofMaxSize(40);
  }

  private static List<String> lines(String sample) throws IOException {
    return Files.readAllLines(ReadTraces.sample(sample));
  }

  private static void check(Sort sort, List<String> lines, List<Step> steps) throws IOException {
    Path folder = Files.createTempDirectory("rollscope-tail-");
    try {
      Writers writers = new Writers(folder, sort, lines);
      FolderReader follower = ReadTraces.newReader(folder, null);
      Map<String, Board> boards = new HashMap<>();
      for (Step step : steps) {
        if (step.happening() == Happening.POLL) {
          follower.poll();
          update(boards, follower);
        } else {
          writers.act(step);
        }
      }
      writers.finishLines();
      follower.poll();
      update(boards, follower);

      ReadTraces fresh = ReadTraces.all(folder);
      List<JsonNode> followed = reports(ReadTraces.of(follower));
      List<JsonNode> read = reports(fresh);
      assertThat(followed).hasSameSizeAs(read);
      for (int i = 0; i < read.size(); i++) {
        assertThat(followed.get(i)).isEqualTo(read.get(i));
      }
      for (String run : fresh.reader().runs().ids()) {
        assertThat(live(boards.get(run).board, ReadTraces.of(follower), run))
            .isEqualTo(live(new LiveBoard(fresh.run(run).table(), Scope.ACTIVE), fresh, run));
      }
      assertThat(follower.poll()).as("nothing new").isFalse();
    } finally {
      delete(folder);
    }
  }

  /** A board that is kept as long as its run, as the live screen does. */
  private record Board(RunData run, LiveBoard board) {}

  private static void update(Map<String, Board> boards, FolderReader follower) {
    for (String id : follower.runs().ids()) {
      RunData run = follower.runs().run(id);
      Board known = boards.get(id);
      if (known == null || known.run() != run) {
        boards.put(id, new Board(run, new LiveBoard(run.table(), Scope.ACTIVE)));
      } else {
        known.board().update();
      }
    }
  }

  private static JsonNode live(LiveBoard board, ReadTraces read, String run) {
    return ordered(
        new ObjectMapper()
            .valueToTree(
                board.report(
                    read.context(read.run(run)),
                    ReadTraces.nowOf(read.run(run).table()),
                    Integer.MAX_VALUE)));
  }

  private static List<JsonNode> reports(ReadTraces read) {
    return read.everyReport(20).stream().map(TailTest::ordered).toList();
  }

  /** Skipped lines are told in the order they were met, by the name their file had then. */
  private static JsonNode ordered(JsonNode report) {
    ArrayNode examples = (ArrayNode) report.at("/skippedLines/examples");
    for (JsonNode example : examples) {
      String file = example.get("file").textValue().replaceAll("-2026-.*(?=\\.jsonl)", "");
      ((ObjectNode) example).put("file", file);
    }
    List<JsonNode> sorted =
        StreamSupport.stream(examples.spliterator(), false)
            .sorted(Comparator.comparing(JsonNode::toString))
            .toList();
    examples.removeAll();
    examples.addAll(sorted);
    return report;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** Several processes, each of which writes its share of the lines over and over. */
  private static final class Writers {
    private final Path folder;
    private final String stem;
    private final List<byte[]> contents = new ArrayList<>();
    private final List<List<String>> shares = new ArrayList<>();
    private final int[] written = new int[FILES];
    private int rotations;
    private long seconds = 1_900_000_000;

    Writers(Path folder, Sort sort, List<String> lines) {
      this.folder = folder;
      this.stem = sort.fileName.replace(".jsonl", "");
      for (int f = 0; f < FILES; f++) {
        shares.add(new ArrayList<>());
      }
      for (String line : lines) {
        // All of a session to one file: between files, the order of equal times is anybody's guess.
        shares.get(Math.floorMod(sessionOf(line).hashCode(), FILES)).add(line);
      }
      shares.get(0).add(1, "no event at all: ünfug");
      shares.forEach(share -> contents.add(bytes(share)));
    }

    private static String sessionOf(String line) {
      for (String key : List.of("\"trace_id\":\"", "\"task_id\": ", "\"traceId\":\"")) {
        int at = line.indexOf(key);
        if (at >= 0) {
          return line.substring(
              at + key.length(), line.indexOf(key.endsWith("\"") ? '"' : ',', at + key.length()));
        }
      }
      return line;
    }

    private static byte[] bytes(List<String> lines) {
      return (String.join("\n", lines) + '\n').getBytes(StandardCharsets.UTF_8);
    }

    private Path path(int f) {
      return folder.resolve(stem + f + ".jsonl");
    }

    void act(Step step) throws IOException {
      int f = step.file();
      Path path = path(f);
      switch (step.happening()) {
        case APPEND -> append(f, step.bytes());
        case ROTATE -> {
          if (Files.exists(path)) {
            rotate(f);
          }
        }
        case REWRITE, REWRITE_LONGER, REPLACE -> rewrite(f, step);
        case TRUNCATE -> {
          if (Files.exists(path)) {
            Files.write(path, new byte[0]);
            touch(path);
          }
        }
        case DELETE -> Files.deleteIfExists(path);
        case POLL -> throw new AssertionError();
      }
    }

    /** A file without an event is known by its name alone, which a rotation would change. */
    private void rotate(int f) throws IOException {
      finishLine(f);
      if (hasEvent(Files.readAllLines(path(f), StandardCharsets.ISO_8859_1))) {
        String name = String.format("%s%d-2026-11-15T10-00-00.%03d.jsonl", stem, f, rotations++);
        Files.move(path(f), folder.resolve(name));
      }
    }

    private static boolean hasEvent(List<String> lines) {
      return lines.stream().anyMatch(l -> l.startsWith("{") && l.endsWith("}"));
    }

    private void append(int f, int bytes) throws IOException {
      byte[] content = contents.get(f);
      int from = written[f] % content.length;
      int to = Math.min(content.length, from + bytes);
      Files.write(
          path(f),
          Arrays.copyOfRange(content, from, to),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
      written[f] += to - from;
      touch(path(f));
    }

    private void rewrite(int f, Step step) throws IOException {
      Path path = path(f);
      if (!Files.exists(path) || Files.size(path) == 0) {
        return;
      }
      finishLine(f);
      List<String> lines = new ArrayList<>(Files.readAllLines(path));
      Collections.reverse(lines);
      if (!hasEvent(lines.subList(1, lines.size()))) {
        return;
      }
      // A run that begins anew never begins with the same bytes: it has other times.
      int length = lines.get(0).getBytes(StandardCharsets.UTF_8).length;
      String first = String.format("%06d another beginning", seconds % 1_000_000);
      lines.set(0, (first + "-".repeat(length)).substring(0, length));
      if (step.happening() != Happening.REWRITE) {
        lines.addAll(shares.get(f).subList(0, 3));
      }
      if (step.happening() == Happening.REPLACE) {
        Path other = folder.resolve("incoming");
        Files.write(other, bytes(lines));
        Files.move(other, path, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      } else {
        Files.write(path, bytes(lines));
      }
      touch(path);
    }

    void finishLines() throws IOException {
      for (int f = 0; f < FILES; f++) {
        finishLine(f);
      }
    }

    private void finishLine(int f) throws IOException {
      Path path = path(f);
      if (Files.exists(path)
          && Files.size(path) > 0
          && !Files.readString(path, StandardCharsets.ISO_8859_1).endsWith("\n")) {
        int at = written[f] % contents.get(f).length;
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        byte[] content = contents.get(f);
        int to = at;
        while (content[to++] != '\n') {
          // to the end of the line
        }
        rest.write(content, at, to - at);
        append(f, rest.size());
      }
    }

    /** Clocks of file systems are coarse; a test is faster than their tick. */
    private void touch(Path path) throws IOException {
      Files.setLastModifiedTime(path, FileTime.from(java.time.Instant.ofEpochSecond(seconds++)));
    }
  }
}
