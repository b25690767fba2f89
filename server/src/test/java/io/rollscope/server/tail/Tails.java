package io.rollscope.server.tail;

import io.rollscope.core.time.Nanos;
import io.rollscope.server.ServerOptions.WatchedFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A tail whose clock stands still unless told, with what it said. */
final class Tails {
  static final long NOW = Nanos.fromSeconds(1_790_000_000.0);
  private static final long PLENTY = 256L << 20;

  final List<String> said = new ArrayList<>();
  long nowNs = NOW;
  private final Sink sink;

  Tails(Sink sink) {
    this.sink = sink;
  }

  FolderTail follow(Path folder) {
    return follow(folder, null);
  }

  FolderTail follow(Path folder, String run) {
    return follow(new WatchedFolder(folder, null, run), PLENTY);
  }

  FolderTail follow(WatchedFolder folder, long memory) {
    return new FolderTail(folder, new TailSetup(sink, () -> nowNs, this::pass, said::add, memory));
  }

  private boolean pass(java.time.Duration time) {
    nowNs += time.toNanos();
    return false;
  }

  /** Samples lie with the formats they are of. */
  static Path sample(String name) {
    return Path.of("../formats/src/test/resources/samples").resolve(name);
  }
}
