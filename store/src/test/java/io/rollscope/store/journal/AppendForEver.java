package io.rollscope.store.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rollscope.store.disk.RealDisk;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A process to be killed: appends numbered frames as fast as the disk takes them and prints the
 * number of each when it is acknowledged. Every now and then it moves on by a checkpoint.
 */
final class AppendForEver {
  static final JournalOptions OPTIONS = JournalOptions.defaults().withFileBytes(200_000);

  private AppendForEver() {}

  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    AtomicLong last = new AtomicLong();
    Journal journal =
        Journal.open(
            new RealDisk(),
            Path.of(args[0]),
            OPTIONS,
            (position, frame) -> last.set(ByteBuffer.wrap(frame.payload()).getLong()));
    Semaphore window = new Semaphore(64);
    for (long number = last.get() + 1; ; number++) {
      window.acquire();
      long acknowledged = number;
      Frame frame = frame(number);
      if (number % 1000 == 0) {
        journal.checkpoint(List.of(frame)).toCompletableFuture().join();
        out.println(acknowledged);
        window.release();
        continue;
      }
      journal
          .append(frame.source(), frame.payload())
          .whenComplete(
              (position, error) -> {
                if (error == null) {
                  out.println(acknowledged);
                }
                window.release();
              });
    }
  }

  static Frame frame(long number) {
    return new Frame(JournalModel.source(number), JournalModel.payload(number, 500));
  }
}
