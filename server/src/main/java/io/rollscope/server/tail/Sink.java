package io.rollscope.server.tail;

import io.rollscope.store.Incoming;
import io.rollscope.store.Receipt;
import io.rollscope.store.Store;
import java.util.concurrent.CompletionStage;

/** Where the events of followed files go: the store, as far as it concerns this package. */
public interface Sink {

  /** See {@link Store#accept}. */
  CompletionStage<Receipt> accept(Incoming incoming);

  /** See {@link Store#tailedOffset}. */
  long tailedOffset(String fileId);

  static Sink of(Store store) {
    return new Sink() {
      @Override
      public CompletionStage<Receipt> accept(Incoming incoming) {
        return store.accept(incoming);
      }

      @Override
      public long tailedOffset(String fileId) {
        return store.tailedOffset(fileId);
      }
    };
  }
}
