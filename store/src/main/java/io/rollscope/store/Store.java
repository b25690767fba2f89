package io.rollscope.store;

import io.rollscope.core.view.LiveReport;
import io.rollscope.store.query.Snapshots;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Keeps what it acknowledged, knows what is open, and answers questions. Thread-safe. */
public final class Store implements Closeable {
  private Store() {}

  /**
   * Opens the store in a data folder and reads back what the journal holds.
   *
   * @throws io.rollscope.store.journal.JournalLockedException if another process has it open
   */
  public static Store open(StoreOptions options) throws IOException {
    throw new UnsupportedOperationException("not yet");
  }

  /**
   * Completes when the request is durable; its contents are visible at once or within a second.
   * Fails with {@link io.rollscope.store.journal.RetryableJournalException} when the sender should
   * try again later; never blocks. Completes on a thread of the store's: be brief.
   */
  public CompletionStage<Receipt> accept(Incoming incoming) {
    throw new UnsupportedOperationException("not yet");
  }

  /** Up to where a tailed file's events are durable; 0 for one never seen. */
  public long tailedOffset(String fileId) {
    throw new UnsupportedOperationException("not yet");
  }

  /** The live board of one run; empty for a run that is not known. */
  public LiveReport live(LiveQuery query) {
    throw new UnsupportedOperationException("not yet");
  }

  /** Changes whenever the live board of any run may have changed. */
  public long version() {
    throw new UnsupportedOperationException("not yet");
  }

  /** All runs, newest activity first. */
  public List<RunSummary> runs() {
    throw new UnsupportedOperationException("not yet");
  }

  public Snapshots snapshots() {
    throw new UnsupportedOperationException("not yet");
  }

  /** Deletes all data of a run. Returns how many spans went. */
  public long deleteRun(String run) throws IOException {
    throw new UnsupportedOperationException("not yet");
  }

  public StoreHealth health() {
    throw new UnsupportedOperationException("not yet");
  }

  public StoreNumbers numbers() {
    throw new UnsupportedOperationException("not yet");
  }

  /** Writes what is waiting and gives the folder free. */
  @Override
  public void close() throws IOException {}
}
