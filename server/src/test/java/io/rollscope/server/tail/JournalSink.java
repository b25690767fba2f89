package io.rollscope.server.tail;

import io.rollscope.store.Incoming;
import io.rollscope.store.Receipt;
import io.rollscope.store.disk.Disk;
import io.rollscope.store.journal.Journal;
import io.rollscope.store.journal.JournalOptions;
import io.rollscope.store.journal.Source;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** The real journal and nothing behind it. */
final class JournalSink implements Sink, Closeable {
  private final Journal journal;
  private final Map<String, Long> offsets = new ConcurrentHashMap<>();
  private final List<byte[]> recovered = new ArrayList<>();

  JournalSink(Disk disk, Path folder, JournalOptions options) throws IOException {
    journal =
        Journal.open(
            disk,
            folder,
            options,
            (position, frame) -> {
              if (frame.source() instanceof Source.TailedFile file) {
                offsets.put(file.fileId(), file.endOffset());
                recovered.add(frame.payload());
              }
            });
  }

  @Override
  public CompletionStage<Receipt> accept(Incoming incoming) {
    return journal.append(incoming.source(), incoming.bytes()).thenApply(p -> Receipt.ALL_TAKEN);
  }

  @Override
  public long tailedOffset(String fileId) {
    return offsets.getOrDefault(fileId, 0L);
  }

  /** Requests that were there when the journal was opened. */
  List<byte[]> recovered() {
    return recovered;
  }

  @Override
  public void close() throws IOException {
    journal.close();
  }
}
