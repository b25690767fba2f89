package io.rollscope.server.tail;

import io.rollscope.store.Incoming;
import io.rollscope.store.Receipt;
import io.rollscope.store.journal.Source;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that keeps requests in a list and can die after any of them. */
final class MemorySink implements Sink {
  private final List<Incoming> taken = new ArrayList<>();
  private final Map<String, Long> offsets = new HashMap<>();
  private int room = Integer.MAX_VALUE;

  @Override
  public synchronized CompletionStage<Receipt> accept(Incoming incoming) {
    if (taken.size() >= room) {
      return CompletableFuture.failedFuture(new IOException("dead"));
    }
    taken.add(incoming);
    Source.TailedFile file = (Source.TailedFile) incoming.source();
    offsets.put(file.fileId(), file.endOffset());
    return CompletableFuture.completedFuture(Receipt.ALL_TAKEN);
  }

  @Override
  public synchronized long tailedOffset(String fileId) {
    return offsets.getOrDefault(fileId, 0L);
  }

  /** Takes this many more requests, then dies. */
  synchronized void dieAfter(int requests) {
    room = taken.size() + requests;
  }

  synchronized void revive() {
    room = Integer.MAX_VALUE;
  }

  synchronized List<Incoming> taken() {
    return List.copyOf(taken);
  }

  synchronized Map<String, Long> offsets() {
    return Map.copyOf(offsets);
  }
}
