package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Whatever the order, repetition and grouping in which things come in, the answer is one. */
class StoreOrderPropertyTest {
  private static final String SPANS =
      "select run, session, lane, trace_id, span_id, name, start_ns, end_ns, outcome, self_ns,"
          + " map_entries(attributes)::varchar from spans order by trace_id, span_id";
  private static final String SESSIONS =
      "select run, session, status, reason, batch, wall_ns, queue_ns, gap_ns, barrier_ns,"
          + " unaccounted_ns, span_count, open_count, error_count from sessions order by run, session";
  private static final String SUMS =
      "select run, session, wall_ns - queue_ns - gap_ns - barrier_ns - unaccounted_ns - coalesce("
          + "(select sum(self_ns) from spans p where p.run = s.run and p.session = s.session), 0)"
          + " as off from sessions s where off <> 0";

  private final AtomicLong clock = new AtomicLong(Sender.at(100));

  /** One thing that a client tells. */
  private interface Item {
    void tell(Sender sender);
  }

  /** A few traces with everything that versions, names and verdicts can do to each other. */
  private static List<Item> world(Random random) {
    List<Item> items = new ArrayList<>();
    for (long trace = 1; trace <= 1 + random.nextInt(3); trace++) {
      long of = trace;
      int spans = 1 + random.nextInt(6);
      int namesRun = random.nextInt(spans + 1);
      int namesSession = random.nextInt(spans + 1);
      for (int s = 0; s < spans; s++) {
        int id = s + 1;
        int parent = s == 0 ? 0 : 1 + random.nextInt(s);
        double from = random.nextInt(40);
        String run = s == namesRun ? "run-" + trace : null;
        String session = s == namesSession ? "s-" + trace : null;
        boolean state = random.nextInt(8) == 0;
        boolean failed = random.nextInt(5) == 0;
        for (int version = random.nextInt(3); version >= 0; version--) {
          double to = random.nextInt(4) == 0 ? -1 : from + random.nextInt(30);
          int mark = version;
          items.add(
              sender -> {
                sender.begin(run, "i-1").span(of, id, parent, "work-" + id, from, to);
                sender.attribute("version." + mark, mark);
                if (session != null) {
                  sender.attribute("rl.kind", "session").attribute("rl.session.id", session);
                }
                if (state) {
                  sender.attribute("rl.kind", "state").attribute("rl.lane", "trainer");
                }
                if (failed && to >= 0) {
                  sender.failed("TimeoutError", "too slow", to);
                }
                sender.send();
              });
        }
        if (random.nextInt(6) == 0) {
          double at = 50 + random.nextInt(20);
          String status = random.nextBoolean() ? "accepted" : "rejected";
          items.add(s2 -> s2.sendLogs(List.of(TestStore.verdict(of, id, at, status)), List.of()));
        }
      }
    }
    return items;
  }

  private List<List<String>> answer(TestStore store) throws Exception {
    return List.of(store.query(SPANS), store.query(SESSIONS), store.query(SUMS));
  }

  @Property(tries = 12, shrinking = ShrinkingMode.OFF)
  void anyOrderRepetitionAndRestartGivesOneAnswer(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    List<Item> items = world(random);
    Path folder = Files.createTempDirectory("rollscope-order");
    try {
      List<List<String>> expected;
      clock.set(Sender.at(100));
      try (TestStore store = TestStore.open(folder.resolve("a"), clock)) {
        items.forEach(item -> item.tell(store.sender()));
        store.store().awaitApplied();
        expected = answer(store);
      }
      assertThat(expected.get(2)).as("self times and waits add up").isEmpty();
      List<Item> other = new ArrayList<>(items);
      for (Item item : items) {
        if (random.nextInt(3) == 0) {
          other.add(item);
        }
      }
      Collections.shuffle(other, random);
      int restart = random.nextInt(other.size());
      clock.set(Sender.at(100));
      Path killed = folder.resolve("b");
      try (TestStore store = TestStore.open(killed, clock)) {
        other.subList(0, restart).forEach(item -> item.tell(store.sender()));
        store.store().awaitApplied();
        killed = store.killed(Files.createDirectory(folder.resolve("killed")));
      }
      try (TestStore store = TestStore.open(killed, clock)) {
        other.subList(restart, other.size()).forEach(item -> item.tell(store.sender()));
        store.store().awaitApplied();
        assertThat(answer(store)).isEqualTo(expected);
      }
    } finally {
      delete(folder);
    }
  }

  @Property(tries = 8, shrinking = ShrinkingMode.OFF)
  void sealingInBetweenLosesNothingAndStillAddsUp(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    List<Item> items = world(random);
    Collections.shuffle(items, random);
    Path folder = Files.createTempDirectory("rollscope-order");
    clock.set(Sender.at(100));
    try {
      List<String> ids;
      try (TestStore store = TestStore.open(folder, clock)) {
        for (Item item : items) {
          item.tell(store.sender());
          if (random.nextInt(4) == 0 && clock.get() < Sender.at(3_000)) { // Within the hour.
            store.store().awaitApplied();
            store.pass(700);
            store.tick();
          }
        }
        store.store().awaitApplied();
        store.tick(); // News of a sealed session join it.
        assertThat(store.query(SUMS)).isEmpty();
        ids = store.query("select trace_id, span_id from spans where name <> '(not yet seen)'");
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(store.query("select run, session from sessions")).doesNotHaveDuplicates();
      }
      try (TestStore store = TestStore.open(folder, clock)) {
        assertThat(
                store.query("select trace_id, span_id from spans where name <> '(not yet seen)'"))
            .containsExactlyInAnyOrderElementsOf(ids);
        assertThat(store.query(SUMS)).isEmpty();
      }
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(file);
      }
    }
  }
}
