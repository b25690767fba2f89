package io.rollscope.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rollscope.core.report.RunReports;
import io.rollscope.otlp.BadRequestException;
import io.rollscope.otlp.JsonRequests;
import io.rollscope.otlp.RequestDecoder;
import io.rollscope.otlp.Signal;
import io.rollscope.server.tail.FolderImport;
import io.rollscope.store.Incoming;
import io.rollscope.store.Store;
import io.rollscope.store.StoreOptions;
import io.rollscope.store.StoredRun;
import io.rollscope.store.disk.RealDisk;
import io.rollscope.store.journal.Source;
import io.rollscope.store.query.Reports;
import io.rollscope.store.testkit.OldSegments;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A store whose clock goes on, and whose background work is done, only when it is told to. */
final class TestedStore {
  private static final Duration SEAL_AFTER = Duration.ofSeconds(2);
  private static final int MOST_TICKS = 100;

  private final StoreOptions options;

  /** Worlds are received soon after they happened. */
  private final AtomicLong clock = new AtomicLong(WorldBuilder.at(800));

  private Store store;

  TestedStore(Path data) throws IOException {
    options =
        new StoreOptions(data, new RealDisk(), clock::get, null, 100_000, 100_000, SEAL_AFTER);
    store = Store.openByHand(options);
  }

  /** Takes export requests as a receiver does. */
  void take(List<String> lines) throws IOException {
    for (String line : lines) {
      Signal signal = World.signalOf(line);
      try {
        byte[] protobuf = JsonRequests.toProtobuf(signal, line.getBytes(UTF_8));
        byte[] bytes = new byte[Incoming.HEAD + protobuf.length];
        System.arraycopy(protobuf, 0, bytes, Incoming.HEAD, protobuf.length);
        var decoded = RequestDecoder.decode(signal, bytes, Incoming.HEAD, clock.get());
        store
            .accept(new Incoming(new Source.Otlp(signal), signal, clock.get(), bytes, decoded))
            .toCompletableFuture()
            .join();
      } catch (BadRequestException e) {
        throw new IllegalArgumentException(line, e);
      }
    }
    store.awaitApplied();
  }

  /** Takes a folder as {@code rollscope import} does, which is now. */
  void importFolder(Path folder) throws IOException {
    long now = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    clock.updateAndGet(before -> Math.max(before, now));
    FolderImport.run(List.of(folder), null, null, store, (done, total, spans) -> {});
    store.awaitApplied();
  }

  /** Time passes until everything that has come to rest is in segments. */
  void seal() throws IOException {
    clock.addAndGet(2 * SEAL_AFTER.toNanos());
    long before;
    int ticks = 0;
    do {
      before = store.numbers().seals();
      for (int i = 0; i < 3; i++) {
        store.tick();
      }
    } while (store.numbers().seals() > before && ++ticks < MOST_TICKS);
    store.awaitApplied();
  }

  /** What has news of sealed sessions is joined with them, as it is every second. */
  void look() throws IOException {
    store.tick();
  }

  void restart() throws IOException {
    store.close();
    store = Store.openByHand(options);
    look();
  }

  /** The server of today finds what one of before sessions were summarised so would have left. */
  void upgrade() throws IOException, SQLException {
    store.close();
    OldSegments.withoutColumnsOfSessions(options.data());
    store = Store.openByHand(options);
    look();
  }

  long hotSpans() {
    return store.numbers().hotSpans();
  }

  /** The run, an hour later: it is not live any more. */
  RunReports run(String run) {
    clock.updateAndGet(now -> Math.max(now, WorldBuilder.at(8_000)));
    return new StoredRun(store, new Reports(store.snapshots(), "store"), run, "store");
  }

  void close() throws IOException {
    store.close();
  }
}
