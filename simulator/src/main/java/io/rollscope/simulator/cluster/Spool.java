package io.rollscope.simulator.cluster;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folder that processes of a run write to, a file each; or nowhere. */
final class Spool {
  private final Path folder;
  private long spans;
  private long sessions;

  /**
   * @param folder or null: nothing is written, only counted
   */
  Spool(Path folder) {
    this.folder = folder;
  }

  boolean isWritten() {
    return folder != null;
  }

  OutputStream open(String host, long pid, String instance) throws IOException {
    if (folder == null) {
      return OutputStream.nullOutputStream();
    }
    Files.createDirectories(folder);
    String name = "rollscope-%s-%d-%s-000000.jsonl".formatted(host, pid, instance.substring(0, 8));
    return new BufferedOutputStream(Files.newOutputStream(folder.resolve(name)), 1 << 16);
  }

  void countSpan(Span span) {
    spans++;
    sessions += span.name.equals("session") ? 1 : 0;
  }

  /** Spans begun, whether their process lived to tell of them or not. */
  long spans() {
    return spans;
  }

  long sessions() {
    return sessions;
  }
}
