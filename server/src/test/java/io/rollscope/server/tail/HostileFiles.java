package io.rollscope.server.tail;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/** What somebody else may put beside the traces: pipes, devices, links without end, no traces. */
final class HostileFiles {
  private HostileFiles() {}

  static void putInto(Path folder) throws Exception {
    Path pipe = folder.resolve("producer_trace_x.jsonl");
    assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "mkfifo");
    Files.createSymbolicLink(folder.resolve("zero.jsonl"), Path.of("/dev/zero"));
    Files.createSymbolicLink(folder.resolve("self.jsonl"), folder.resolve("self.jsonl"));
    Files.createSymbolicLink(folder.resolve("loop"), folder);
    Files.createSymbolicLink(folder.resolve("up"), folder.getParent());
    for (int i = 0; i < 20; i++) {
      Path here = Files.createDirectories(folder.resolve("d" + i));
      Files.createSymbolicLink(here.resolve("a"), folder.resolve("d" + (i + 1)));
      Files.createSymbolicLink(here.resolve("b"), folder.resolve("d" + (i + 1)));
    }
    Files.createDirectory(folder.resolve("folder.jsonl"));
    Files.write(folder.resolve("nul.jsonl"), new byte[100_000]);
    Files.writeString(folder.resolve("deep.jsonl"), "{\"a\":".repeat(200_000) + "\n");
    Files.writeString(folder.resolve("new\nline\u001b[2J.jsonl"), "no trace\n");
    try (RandomAccessFile line =
        new RandomAccessFile(folder.resolve("line.jsonl").toFile(), "rw")) {
      line.setLength(200L << 20); // a hole on disk, a long line to a reader
    }
  }
}
