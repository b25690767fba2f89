package io.rollscope.server;

import io.rollscope.store.Store;
import io.rollscope.store.StoreOptions;
import io.rollscope.store.journal.JournalLockedException;
import io.rollscope.store.journal.JournalVersionException;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;

/** A running collector: store, receivers, API and tailed folders. */
public final class Collector implements Closeable {
  private final Store store;
  private final FrontDoor door;

  private Collector(Store store, FrontDoor door) {
    this.store = store;
    this.door = door;
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
    try {
      StoredQuestions questions = new StoredQuestions(store, Collector::noCage, storage.clock());
      FrontDoor door =
          FrontDoor.open(options, store::accept, questions, store::numbers, storage.clock());
      questions.calledAt(door.url().toString());
      return new Collector(store, door).followed(options);
    } catch (StartException | RuntimeException e) {
      closeAfter(e, store);
      throw e;
    }
  }

  private static Connection noCage() throws SQLException {
    throw new SQLException("sql: no cage (expected: one from the store)");
  }

  /** Here folders begin to be followed: the ports answer, so nobody waits for old files. */
  private Collector followed(ServerOptions options) {
    return this;
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
        usual.sealAfter());
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

  private static void closeAfter(Exception failure, Closeable store) {
    try {
      store.close();
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
    door.close();
    store.close();
  }
}
