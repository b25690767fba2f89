package io.rollscope.server;

import io.rollscope.core.view.RunSummary;
import io.rollscope.server.forward.Forwarder;
import io.rollscope.server.metrics.ForwardMetrics;
import io.rollscope.server.metrics.SqlMetrics;
import io.rollscope.server.metrics.TailMetrics;
import io.rollscope.server.tail.FolderTails;
import io.rollscope.server.tail.Sink;
import io.rollscope.store.Store;
import io.rollscope.store.StoreOptions;
import io.rollscope.store.journal.JournalLockedException;
import io.rollscope.store.journal.JournalVersionException;
import io.rollscope.store.journal.RecoveryReport;
import io.rollscope.store.sql.SqlLimits;
import io.rollscope.store.sql.SqlProcesses;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running collector: store, receivers, API and tailed folders. */
public final class Collector implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Collector.class);

  /** One of them most likely has spans; see {@link RecentRun}. */
  private static final int MOST_RECENT_RUNS = 100;

  private final Store store;
  private final FrontDoor door;
  private final FolderTails tails;
  private final Scraping scraping;
  private final Forwarder forwarder;
  private final SqlProcesses sql;

  private Collector(
      Store store,
      SqlProcesses sql,
      FrontDoor door,
      FolderTails tails,
      Scraping scraping,
      Forwarder forwarder) {
    this.forwarder = forwarder;
    this.store = store;
    this.sql = sql;
    this.door = door;
    this.tails = tails;
    this.scraping = scraping;
  }

  /**
   * Starts everything; when this returns, all ports answer.
   *
   * @throws StartException when something the operator can change is in the way
   */
  public static Collector start(ServerOptions options) throws StartException {
    Entrance.check(options);
    StoreOptions storage = storage(options);
    Store store = open(storage);
    report(store.numbers().recovery());
    SqlProcesses sql = new SqlProcesses(store.sqlSnapshots(), SqlLimits.DEFAULT);
    FrontDoor door = null;
    Scraping scraping = null;
    Forwarder forwarder = null;
    try {
      forwarder = forward(options.outward());
      LocalStoreAdmin admin =
          new LocalStoreAdmin(store, sql, options.outward().namespace(), storage.clock());
      scraping =
          Scraping.open(
              options,
              store::accept,
              storage.clock(),
              new RecentRun(() -> newest(store), storage.clock()));
      FrontDoor.Inside inside =
          new FrontDoor.Inside(
              forwarder.before(store::accept), admin, store::numbers, scraping, storage.clock());
      door = FrontDoor.open(options, inside, Ports.Timeouts.DEFAULT);
      admin.calledAt(door.url().toString());
      refuseItself(options.outward().forward(), door);
      door.metrics().register(new ForwardMetrics(forwarder::numbers));
      door.metrics().register(new SqlMetrics(sql::numbers));
      FolderTails tails = follow(options, store, storage, door);
      scraping.start();
      admin.warmUp();
      return new Collector(store, sql, door, tails, scraping, forwarder);
    } catch (StartException | RuntimeException e) {
      closeAfter(e, scraping);
      closeAfter(e, forwarder);
      closeAfter(e, door);
      closeAfter(e, store);
      throw e;
    }
  }

  private static List<RunSummary> newest(Store store) {
    return store.runs(run -> true, 0, MOST_RECENT_RUNS);
  }

  private static Forwarder forward(ServerOptions.Outward outward) throws StartException {
    try {
      return Forwarder.start(outward.forward(), outward.forwardHeaders());
    } catch (IllegalArgumentException e) {
      throw new StartException(
          "forward-header: " + e.getMessage() + " (expected: NAME=VALUE as HTTP allows)", e);
    }
  }

  /** Spans that come back would go round for ever. */
  private static void refuseItself(List<URI> urls, FrontDoor door) throws StartException {
    for (URI url : urls) {
      boolean port =
          url.getPort() == door.otlpHttp().getPort() || url.getPort() == door.url().getPort();
      if (port && Entrance.isHere(url.getHost(), door.url().getHost())) {
        throw new StartException(
            "forward: " + url + " is this server (expected: another one)", null);
      }
    }
  }

  /** Folders are followed from when the ports answer, so that nobody waits for old files. */
  private static FolderTails follow(
      ServerOptions options, Store store, StoreOptions storage, FrontDoor door)
      throws StartException {
    try {
      FolderTails tails =
          FolderTails.start(options.watch(), Sink.of(store), storage.clock(), LOG::warn);
      door.metrics().register(new TailMetrics(tails::numbers));
      return tails;
    } catch (IllegalArgumentException e) {
      throw new StartException(e.getMessage(), e);
    }
  }

  private static void report(RecoveryReport recovery) {
    recovery.cut().ifPresent(cut -> LOG.warn("journal: cut after a crash: {}", cut));
    recovery.damages().forEach(damage -> LOG.error("journal: damaged: {}", damage));
  }

  private static StoreOptions storage(ServerOptions options) {
    StoreOptions usual = StoreOptions.defaults(options.data());
    return new StoreOptions(
        usual.data(),
        usual.disk(),
        usual.clock(),
        options.retention(),
        usual.maxOpenSpans(),
        usual.sealRows(),
        usual.sealAfter(),
        usual.journalFileBytes(),
        usual.maxHotBytes());
  }

  private static Store open(StoreOptions options) throws StartException {
    try {
      return Store.open(options);
    } catch (JournalLockedException e) {
      throw new StartException(
          "data: "
              + options.data()
              + " is in use by another process (expected: a folder of its own; --data chooses one)",
          e);
    } catch (JournalVersionException e) {
      throw new StartException(e.getMessage(), e);
    } catch (IOException e) {
      throw new StartException(
          "data: "
              + options.data()
              + ": "
              + e
              + " (expected: a writable folder of its own; --data chooses one)",
          e);
    }
  }

  private static void closeAfter(Exception failure, Closeable part) {
    try {
      if (part != null) {
        part.close();
      }
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Where page and API are. */
  public URI url() {
    return door.url();
  }

  public URI otlpHttp() {
    return door.otlpHttp();
  }

  /** {@code host:port}. */
  public String otlpGrpc() {
    return door.otlpGrpc();
  }

  /** The token in force, given or generated; null when none is needed. */
  public String token() {
    return door.token();
  }

  /** Stops receiving, writes what is waiting, and gives the data folder free. */
  @Override
  public void close() throws IOException {
    scraping.close();
    tails.close();
    sql.close();
    door.close();
    forwarder.close();
    store.close();
  }
}
