package io.rollscope.server.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.Scope;
import io.rollscope.server.ServerOptions.WatchedFolder;
import io.rollscope.store.Store;
import io.rollscope.store.StoreOptions;
import io.rollscope.store.query.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an SDK spools into files, followed into a real store. */
class SpoolFolderTest {
  private static final long T0 = 1_780_000_000;
  private static final Path SAMPLE = Tails.sample("rollscope/spool");
  private static final String ROLLOUT_0 = "rollout-0-101-000002.jsonl";

  @TempDir Path data;
  @TempDir Path spool;
  private final AtomicLong now = new AtomicLong(TimeUnit.SECONDS.toNanos(T0 + 10));
  private Store store;
  private FolderTail tail;

  @BeforeEach
  void open() throws IOException {
    StoreOptions d = StoreOptions.defaults(data);
    store =
        Store.open(
            new StoreOptions(
                data, d.disk(), now::get, null, d.maxOpenSpans(), d.sealRows(), d.sealAfter()));
    tail =
        new FolderTail(
            new WatchedFolder(spool, null, null),
            new TailSetup(Sink.of(store), now::get, time -> false, line -> {}, Long.MAX_VALUE));
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  /** A run without a port to the server: its metrics are asked for all the same. */
  @Test
  void metricsOfASpoolAreInTheStore() throws Exception {
    spool("rollout-0-101-000001.jsonl");

    await(() -> store.numbers().points() == 2);
    assertThat(rows("SELECT name, value, train_step FROM metrics ORDER BY time_ns"))
        .containsExactly("reward|0.25|12", "reward|0.75|12");
    assertThat(tail.numbers().refused()).isEmpty();
  }

  @Test
  void openWorkOfAFileIsNotLostBySilence() throws Exception {
    spool(ROLLOUT_0);
    await(() -> store.numbers().beats() == 1);
    now.addAndGet(Duration.ofHours(1).toNanos());

    assertThat(live().sessionSummary()).containsEntry("running", 1).containsEntry("lost", 0);
    assertThat(live().workers()).allSatisfy(w -> assertThat(w.state()).isNull());
  }

  @Test
  void openWorkOfAProcessThatSaidGoodbyeIsLost() throws Exception {
    spool("rollout-7-202-000001.jsonl");
    await(() -> store.numbers().beats() == 2);

    assertThat(live().sessionSummary()).containsEntry("lost", 1);
  }

  /** Files of one process are delivered side by side: the older one may be stored last. */
  @Test
  void anOlderFileThatComesLaterBringsNobodyBack() throws Exception {
    List<String> lines = Files.readAllLines(SAMPLE.resolve("rollout-7-202-000001.jsonl"));
    Files.write(spool.resolve("b-000002.jsonl"), lines.subList(1, 2));
    tail.poll();
    await(() -> store.numbers().beats() == 1);
    Files.write(spool.resolve("b-000001.jsonl"), lines.subList(0, 1));
    tail.poll();
    await(() -> store.numbers().beats() == 2);

    assertThat(live().sessionSummary()).containsEntry("lost", 1);
  }

  /** A spool folder of last month is imported: it does not go on because it had beats. */
  @Test
  void beatsOfLongAgoMakeNoRunLive() throws Exception {
    now.addAndGet(Duration.ofDays(30).toNanos());
    spool(ROLLOUT_0);
    await(() -> store.numbers().beats() == 1);

    assertThat(live().past()).isTrue();
    assertThat(store.runs()).singleElement().matches(r -> r.state().equals("ended"));
  }

  private void spool(String file) throws IOException {
    Files.copy(SAMPLE.resolve(file), spool.resolve(file));
    tail.poll();
  }

  private LiveReport live() {
    return store.live("grpo-spool", ReportRequest.of(Scope.ALL).limit(100));
  }

  private List<String> rows(String sql) throws Exception {
    List<String> found = new ArrayList<>();
    try (Snapshot snapshot = store.snapshots().take();
        Statement statement = snapshot.connection().createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        found.add(rows.getString(1) + "|" + rows.getString(2) + "|" + rows.getString(3));
      }
    }
    return found;
  }

  private static void await(BooleanSupplier condition) {
    Instant deadline = Instant.now().plus(Duration.ofSeconds(90));
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).isBefore(deadline);
      LockSupport.parkNanos(2_000_000);
    }
  }
}
