package io.rollscope.simulator;

import io.rollscope.core.model.Event;
import io.rollscope.formats.areal.ArealProcess;
import io.rollscope.formats.areal.ArealWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A run as AReaL writes it: sessions and perf events of every rank. */
final class ArealFolder implements TraceFolder, LimitedSink {
  private static final long FIRST_PID = 8807;

  /** Ranks do not start together, and perf times count from the start of each. */
  private static final long FIRST_ORIGIN_NS = -20_000_000_000L;

  private static final long ORIGIN_SKEW_NS = 1_734_000_000L;

  private final List<ArealWriter> writers = new ArrayList<>();
  private final ArealTranslation translation;

  ArealFolder(Path trial, int ranks, long startNs) {
    this(trial, ranks, startNs, Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /** A folder that takes no more than so many sessions and perf events. */
  ArealFolder(Path trial, int ranks, long startNs, long maxSessions, long maxPerfEvents) {
    for (int rank = 0; rank < ranks; rank++) {
      long origin = startNs + FIRST_ORIGIN_NS + rank * ORIGIN_SKEW_NS;
      writers.add(new ArealWriter(trial, new ArealProcess(rank, null, pid(rank), origin)));
    }
    translation =
        new ArealTranslation(
            ranks, maxSessions, maxPerfEvents, (rank, event) -> writers.get(rank).write(event));
  }

  static long pid(int rank) {
    return FIRST_PID + rank;
  }

  @Override
  public boolean isFull() {
    return translation.isFull();
  }

  @Override
  public long taken() {
    return translation.taken();
  }

  @Override
  public void session(long pid, Event event) throws IOException {
    translation.session(pid, event);
  }

  @Override
  public void training(TrainingSpan span) throws IOException {
    translation.training(span);
  }

  @Override
  public void flush() throws IOException {
    for (ArealWriter writer : writers) {
      writer.flush();
    }
  }

  @Override
  public void close() throws IOException {
    for (ArealWriter writer : writers) {
      writer.close();
    }
  }
}
