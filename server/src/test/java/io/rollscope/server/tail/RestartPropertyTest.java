package io.rollscope.server.tail;

import static io.rollscope.server.tail.GrowingFolderTest.append;
import static io.rollscope.server.tail.GrowingFolderTest.event;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;

/**
 * However a folder grows and whenever the server dies, in the end it knows what one look at the
 * finished folder tells, under the same ids.
 */
class RestartPropertyTest {
  private static final String[] STAGES = {"produce", "judge", "engine"};
  private Path temp;

  @BeforeTry
  void makeFolder() throws IOException {
    temp = Files.createTempDirectory("tail");
  }

  @AfterTry
  void removeFolder() throws IOException {
    try (Stream<Path> all = Files.walk(temp)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  @Property(tries = 100)
  void howeverAFolderGrowsTheServerKnowsTheSame(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int files) throws IOException {
    Random random = new Random(seed);
    Path folder = Files.createDirectories(temp.resolve("run"));
    MemorySink sink = new MemorySink();
    Tails tails = new Tails(sink);
    FolderTail tail = tails.follow(folder);
    List<StringBuilder> unwritten = new ArrayList<>();
    for (int f = 0; f < files; f++) {
      unwritten.add(new StringBuilder());
    }
    double time = 0;
    for (int step = 0; step < 40; step++) {
      int session = random.nextInt(4);
      time += 0.25;
      // All events of a session are in one file, as a process writes them.
      unwritten.get(session % files).append(randomEvent(random, session, time));
      if (random.nextInt(3) == 0) {
        for (int f = 0; f < files; f++) {
          writeSome(random, folder, f, unwritten.get(f));
        }
        boolean dies = random.nextInt(4) == 0;
        if (dies) {
          sink.dieAfter(random.nextInt(3));
        }
        tail.poll();
        if (dies || random.nextInt(4) == 0) {
          sink.revive();
          tail = tails.follow(folder);
        }
      }
    }
    for (int f = 0; f < files; f++) {
      append(file(folder, f), unwritten.get(f).toString());
    }
    tail.poll();

    ToldSpans told = ToldSpans.of(sink.taken());
    assertThat(spans(told)).isEqualTo(spans(atOnce(folder)));
    assertThat(told.byId().keySet()).containsAll(atOnce(folder).byId().keySet());
  }

  private static String randomEvent(Random random, int session, double time) {
    String what =
        switch (random.nextInt(9)) {
          case 0, 1, 2, 3 -> ".start";
          case 4, 5, 6, 7 -> ".end";
          default -> ".seen";
        };
    return event("a:" + session, STAGES[random.nextInt(STAGES.length)] + what, time);
  }

  private static void writeSome(Random random, Path folder, int f, StringBuilder unwritten)
      throws IOException {
    int length = random.nextInt(unwritten.length() + 1);
    append(file(folder, f), unwritten.substring(0, length));
    unwritten.delete(0, length);
  }

  private static Path file(Path folder, int f) {
    return folder.resolve("producer_trace_" + f + "_0001_000000.jsonl");
  }

  @Property(tries = 1)
  void aRestartAtAnyOffsetLosesNothingAndTellsNoClosedSpanTwice() throws IOException {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < 2; i++) {
      all.append(event("a:" + i, "judge.start", i)).append(event("a:" + i, "engine.start", i + .1));
      all.append(event("a:" + i, "engine.end", i + .2))
          .append(event("a:" + i, "judge.end", i + .3));
    }
    String text = all.append(event("a:9", "judge.start", 9)).toString();
    Map<String, String> expected = null;
    for (int cut = 0; cut <= text.length(); cut++) {
      Path folder = Files.createDirectories(temp.resolve("cut" + cut).resolve("run"));
      MemorySink sink = new MemorySink();
      append(file(folder, 0), text.substring(0, cut));
      new Tails(sink).follow(folder).poll();
      append(file(folder, 0), text.substring(cut));
      new Tails(sink).follow(folder).poll();

      ToldSpans told = ToldSpans.of(sink.taken());
      expected = expected == null ? told.summary() : expected;
      assertThat(told.summary()).isEqualTo(expected).hasSize(5);
      assertThat(told.closedAgain()).isZero();
      assertThat(sink.offsets().values()).containsExactly((long) text.length());
    }
  }

  private static ToldSpans atOnce(Path folder) {
    MemorySink sink = new MemorySink();
    new Tails(sink).follow(folder).poll();
    return ToldSpans.of(sink.taken());
  }

  /** Without what only happened: whether that has a span around it may depend on the moment. */
  private static Map<String, String> spans(ToldSpans told) {
    Map<String, String> spans = new TreeMap<>(told.summary());
    spans.values().removeIf(s -> s.contains("rollscope.point"));
    return spans;
  }
}
