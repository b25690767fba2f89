package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.RealDisk;
import io.rollscope.store.journal.RetryableJournalException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A day in the life of a store on a disk that fails: opening, taking in, sealing, checkpoints,
 * deletion of a run, closing. Whatever happened, a healthy disk shows everything acknowledged.
 */
final class FaultScenario {
  private static final int ATTEMPTS = 8;

  /** A seal that failed is tried again at every fourth. */
  private static final int SEAL_TICKS = 12;

  private final AtomicLong clock = new AtomicLong(Sender.at(100));
  private final Path data;
  private final Disk disk;
  private final Map<Long, String> acknowledged = new ConcurrentSkipListMap<>();
  private volatile boolean verdict;
  private volatile boolean deleted;
  private TestStore store;

  FaultScenario(Path data, Disk disk) {
    this.data = data;
    this.disk = disk;
  }

  /** What was acknowledged up to a moment. */
  record Known(Map<Long, String> spans, boolean verdict, boolean deleted) {}

  Known known() {
    return new Known(new TreeMap<>(acknowledged), verdict, deleted);
  }

  private StoreOptions options(Path folder, Disk on) {
    return new StoreOptions(
        folder, on, clock::get, null, 1_000, 1_000, TestStore.SEAL_AFTER, 2_000, 1L << 30);
  }

  /** Lives the day. False if the disk did not even let it begin. */
  boolean live() {
    if (!open()) {
      return false;
    }
    send("run-1", 1, 10);
    send("run-1", 2, -1);
    send("run-2", 3, 10);
    verdict = retried(() -> sendVerdict());
    seal();
    send("run-1", 4, 20);
    send("run-2", 5, -1);
    deleted = retried(() -> store.store().deleteRun("run-2"));
    for (long trace = 10; trace < 20; trace++) {
      send("run-1", trace, 30);
    }
    seal();
    store.pass(700);
    seal();
    send("run-1", 2, 40);
    return true;
  }

  private boolean open() {
    for (int i = 0; i < ATTEMPTS && store == null; i++) {
      try {
        store = TestStore.open(options(data, disk), clock);
      } catch (IOException e) {
        assertThat(e).hasMessageNotContaining("in use");
      }
    }
    return store != null;
  }

  private void send(String run, long trace, double end) {
    boolean taken =
        retried(
            () ->
                store
                    .sender()
                    .begin(run, "i-1")
                    .span(trace, 1, 0, "rollout", 1, end)
                    .attribute("rl.kind", "session")
                    .attribute("rl.session.id", "s-" + trace)
                    .send());
    if (taken && run.equals("run-1")) {
      acknowledged.put(trace, end < 0 ? "open" : "ok");
    }
  }

  private void sendVerdict() {
    store.sender().sendLogs(List.of(TestStore.verdict(1, 1, 50, "rejected")), List.of());
  }

  private interface Step {
    void run() throws IOException;
  }

  /** As a sender does: what may be repeated is repeated. */
  private static boolean retried(Step step) {
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        step.run();
        return true;
      } catch (IOException e) {
        // Tried again.
      } catch (CompletionException e) {
        assertThat(e.getCause()).isInstanceOf(RetryableJournalException.class);
      }
    }
    return false;
  }

  private void seal() {
    long before = store.store().numbers().seals();
    long failures = store.store().numbers().sealFailures();
    store.pass(60);
    for (int ticks = 0; ticks < SEAL_TICKS; ticks++) {
      store.tick();
      if (store.store().numbers().seals() > before
          || store.store().numbers().sealFailures() > failures + 1) {
        return;
      }
    }
  }

  /** The disk works again: the store says so by itself. */
  void recovers() {
    assertThat(
            TestStore.within(
                120,
                () -> {
                  store.tick();
                  return store.store().health().ready();
                }))
        .as("ready again, was: %s", store.store().health().reason())
        .isTrue();
  }

  void close() {
    try {
      store.close();
    } catch (IOException e) {
      // What could not be written is in the journal.
    }
  }

  /** Opens the folder on a healthy disk and compares. */
  void check() throws Exception {
    check(data, known());
  }

  /** The same with another folder, which is as the store's was when so much was known. */
  void check(Path folder, Known known) throws Exception {
    try (TestStore again = TestStore.open(options(folder, new RealDisk()), clock)) {
      List<String> found =
          again.query("select session, outcome from spans where run = 'run-1' order by trace_id");
      assertThat(found).extracting(f -> f.split("\\|")[0]).doesNotHaveDuplicates();
      known
          .spans()
          .forEach(
              (trace, outcome) -> {
                if (outcome.equals("open")) { // Its end may be durable and not yet acknowledged.
                  assertThat(found).containsAnyOf("s-" + trace + "|open", "s-" + trace + "|ok");
                } else {
                  assertThat(found).contains("s-" + trace + "|" + outcome);
                }
              });
      assertThat(again.query("select session from sessions where run = 'run-1'"))
          .doesNotHaveDuplicates();
      if (known.verdict()) {
        assertThat(again.query("select status from sessions where session = 's-1'"))
            .containsExactly("rejected");
      }
      if (known.deleted()) {
        assertThat(again.query("select session from spans where run = 'run-2'")).isEmpty();
      }
    }
  }
}
