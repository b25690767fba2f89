package io.rollscope.store;

import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.session.LateFacts;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.Scope;
import io.rollscope.otlp.record.Said;
import io.rollscope.otlp.record.Verdict;
import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.RealDisk;
import io.rollscope.store.query.Snapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A store in tests: its clock stands still, and its background work is done, when told so. */
final class TestStore implements AutoCloseable {
  static final Duration SEAL_AFTER = Duration.ofSeconds(30);

  private final StoreOptions options;
  private final AtomicLong clock;
  private final Store store;

  private TestStore(StoreOptions options, AtomicLong clock) throws IOException {
    this.options = options;
    this.clock = clock;
    store = Store.openByHand(options);
  }

  static TestStore open(Path data, AtomicLong clock) throws IOException {
    return open(data, new RealDisk(), clock);
  }

  static TestStore open(Path data, Disk disk, AtomicLong clock) throws IOException {
    return open(new StoreOptions(data, disk, clock::get, null, 1_000, 1_000, SEAL_AFTER), clock);
  }

  static TestStore open(StoreOptions options, AtomicLong clock) throws IOException {
    return new TestStore(options, clock);
  }

  Store store() {
    return store;
  }

  Sender sender() {
    return new Sender(store, clock);
  }

  /** Lets time pass. */
  void pass(double seconds) {
    clock.addAndGet(Math.round(seconds * Sender.SECOND));
  }

  /** Waits for something that another thread does. */
  static void await(BooleanSupplier condition) {
    if (!within(120, condition)) {
      throw new AssertionError("not within two minutes");
    }
  }

  /** Whether something becomes so in time. */
  static boolean within(int seconds, BooleanSupplier condition) {
    long deadline = System.nanoTime() + seconds * Sender.SECOND;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      LockSupport.parkNanos(500_000);
    }
    return true;
  }

  /** Brings everything sent into memory and does the background work that is due, once. */
  void tick() {
    try {
      store.awaitApplied();
    } catch (IOException e) {
      // The disk of this test fails: that is for the store to bear.
    }
    store.tick();
  }

  /** Does background work, without any time passing, until something is so. */
  void tickUntil(BooleanSupplier condition) {
    for (int ticks = 0; !condition.getAsBoolean(); ticks++) {
      if (ticks == 100) {
        throw new AssertionError("not after 100 ticks");
      }
      tick();
    }
  }

  /** Lets time pass, in steps that the store notices, until something is so. */
  void passUntil(double seconds, BooleanSupplier condition) {
    for (int step = 0; step < 40; step++) {
      pass(seconds);
      for (int ticks = 0; ticks < 3; ticks++) {
        if (condition.getAsBoolean()) {
          return;
        }
        tick();
      }
    }
    throw new AssertionError("not within 40 steps of " + seconds + " s");
  }

  /** Waits until so many closed spans have come in. */
  void awaitSpans(long spans) {
    await(() -> store.numbers().spans() == spans);
  }

  /** Waits until everything that has come to rest is in a segment. */
  void seal() {
    long before = store.numbers().seals();
    pass(2.0 * SEAL_AFTER.toSeconds());
    tickUntil(() -> store.numbers().seals() > before);
  }

  /** Seals, and waits until nothing is in memory any more. */
  void sealAll() {
    seal();
    tickUntil(() -> store.numbers().hotSpans() == 0);
  }

  List<String> query(String sql) throws SQLException {
    pass(2); // What was asked before is older than a second.
    List<String> found = new ArrayList<>();
    try (Snapshot snapshot = store.snapshots().take();
        Statement statement = snapshot.connection().createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        List<String> row = new ArrayList<>();
        for (int c = 1; c <= columns; c++) {
          row.add(rows.getString(c));
        }
        found.add(String.join("|", row));
      }
    }
    return found;
  }

  LiveReport live(String run) {
    return store.live(run, ReportRequest.of(Scope.ALL).limit(100));
  }

  /** What a kill at this moment leaves behind, in another folder. */
  Path killed(Path into) throws IOException {
    for (int attempt = 0; ; attempt++) {
      Path copy = into.resolve("attempt-" + attempt);
      try (Stream<Path> all = Files.walk(options.data())) {
        for (Path file : (Iterable<Path>) all::iterator) {
          Files.copy(file, copy.resolve(options.data().relativize(file).toString()));
        }
        return copy;
      } catch (NoSuchFileException | UncheckedIOException e) {
        // The store has just given a file another name.
        if (attempt == 20) {
          throw e;
        }
      }
    }
  }

  static Verdict verdict(long trace, long span, double at, String status) {
    return verdict(trace, span, at, status, null);
  }

  /** A verdict that names the session. */
  static Verdict verdict(long trace, long span, double at, String status, String session) {
    Said said =
        new Said(
            "run-1", session, null, false, null, null, null, null, null, null, null, null, null,
            null, status, null, null);
    return new Verdict(
        trace,
        trace,
        span,
        Sender.at(at),
        status,
        null,
        said,
        Sender.origin("i-1"),
        LateFacts.NONE);
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
