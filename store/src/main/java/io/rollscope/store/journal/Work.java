package io.rollscope.store.journal;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What waits for the committing thread, which alone touches the files. */
sealed interface Work {
  CompletableFuture<?> done();

  /** A frame to be made durable. */
  record Append(Frame frame, long bytes, CompletableFuture<Position> done) implements Work {}

  /** A new file that begins with these frames. */
  record Checkpoint(List<Frame> frames, CompletableFuture<Position> done) implements Work {}

  /** Old files to be deleted. */
  record Delete(Position before, CompletableFuture<Integer> done) implements Work {}
}
