package io.rollscope.store;

import io.rollscope.otlp.RequestWriter;
import io.rollscope.otlp.Signal;
import io.rollscope.otlp.record.Sign;
import io.rollscope.otlp.record.SpanRecord;
import io.rollscope.otlp.record.Verdict;
import io.rollscope.store.hot.HotStore;
import io.rollscope.store.hot.HotStore.Restated;
import io.rollscope.store.journal.Frame;
import io.rollscope.store.journal.Journal;
import io.rollscope.store.journal.JournalHealth;
import io.rollscope.store.journal.Position;
import io.rollscope.store.journal.Source;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Lets journal files go: what is still open in them is written once more into a new file, so that a
 * span that is open for days pins nothing.
 */
final class Checkpoints {
  /** A journal of fewer files is left alone: a checkpoint costs as much as there is open work. */
  private static final int FEW_FILES = 6;

  private static final int SPANS_PER_FRAME = 2_000;
  private static final long PAUSE_NS = 3_000_000_000L;

  /** Also a journal of few files: until then, ids of what is in it are remembered. */
  private static final long USUAL_NS = 600_000_000_000L;

  /** How exactly a checkpoint says when a verdict came in that waits for its session. */
  private static final long ABOUT_NS = 600_000_000_000L;

  private final HotStore hot;
  private final ReentrantLock hotLock;
  private final Journal journal;
  private final Applier applier;
  private final Map<String, Long> tailedOffsets;
  private final LongSupplier clock;
  private final LongSupplier nextSegment;
  private final KeptBook book;
  private final NavigableMap<Long, Mark> marks = new TreeMap<>();
  private Mark forgettable = new Mark(Long.MIN_VALUE, 0);
  private long trimmedNs;

  /**
   * What a journal file begins with: what is in it or in a later one was not sealed at that time.
   *
   * @param segment number of the next segment
   */
  record Mark(long ns, long segment) {}

  Checkpoints(
      HotStore hot,
      ReentrantLock hotLock,
      Journal journal,
      Applier applier,
      Map<String, Long> tailedOffsets,
      LongSupplier clock,
      LongSupplier nextSegment,
      KeptBook book) {
    this.book = book;
    this.hot = hot;
    this.hotLock = hotLock;
    this.journal = journal;
    this.applier = applier;
    this.tailedOffsets = tailedOffsets;
    this.clock = clock;
    this.nextSegment = nextSegment;
    trimmedNs = clock.getAsLong();
  }

  /** Tries a failing disk again, so that the store recovers even if no sender does. */
  void probe() {
    if (journal.health() instanceof JournalHealth.Failing) {
      journal.append(new Source.Checkpoint(), new byte[0]);
    }
  }

  /** Lets files go if there are many, but not all the time. */
  void trim() throws IOException {
    long now = clock.getAsLong();
    long pause = now < trimmedNs ? USUAL_NS : now - trimmedNs; // The clock may be set back.
    if (pause >= USUAL_NS || (pause >= PAUSE_NS && journal.numbers().files() > FEW_FILES)) {
      restate();
      trimmedNs = now;
    }
  }

  /** Nothing that was sealed earlier is in the journal any more. */
  Mark forgettable() {
    return forgettable;
  }

  /** Writes once more what is open, then deletes the files that nothing else is in. */
  void restate() throws IOException {
    Restated open;
    long keep;
    byte[] series;
    Mark mark = new Mark(clock.getAsLong(), nextSegment.getAsLong());
    List<Frame> frames = new ArrayList<>();
    hotLock.lock();
    try {
      // Frames after the last one applied may be in its file, unless nothing can come any more.
      long applied = applier.isClosed() ? Long.MAX_VALUE : applier.last().file();
      keep = Math.min(hot.oldestUnsealedFile(), applied);
      open = hot.restated(keep);
      series = book.bytes(applier.last());
    } finally {
      hotLock.unlock();
    }
    for (int from = 0; from < open.spans().size(); from += SPANS_PER_FRAME) {
      int to = Math.min(open.spans().size(), from + SPANS_PER_FRAME);
      List<SpanRecord> some = open.spans().subList(from, to);
      frames.add(frame(Signal.TRACES, RequestWriter.traces(some), clock.getAsLong()));
    }
    addVerdicts(frames, open.verdicts());
    addSigns(frames, open.signs());
    tailedOffsets.forEach(
        (file, offset) -> frames.add(new Frame(new Source.TailedFile(file, offset), new byte[0])));
    Position position = await(journal.checkpoint(frames));
    marks.put(position.file(), mark);
    applier.mark(position, () -> {});
    hotLock.lock();
    try {
      open.moveTo(position.file());
    } finally {
      hotLock.unlock();
    }
    book.write(series);
    long oldest = Math.min(keep, position.file());
    await(journal.deleteBefore(new Position(oldest, 0)));
    Map.Entry<Long, Mark> before = marks.floorEntry(oldest);
    if (before != null) {
      forgettable = before.getValue();
      marks.headMap(before.getKey(), false).clear();
    }
  }

  /** Completes when everything acknowledged so far is in the hot store. */
  CompletableFuture<Boolean> applied() throws IOException {
    Position none = new Position(0, 0);
    await(journal.deleteBefore(none)); // Whoever appended before has handed over.
    CompletableFuture<Boolean> reached = new CompletableFuture<>();
    applier.mark(none, () -> reached.complete(true));
    return reached;
  }

  /** Those that came in at about the same time go together: how long they wait is bounded. */
  private void addVerdicts(List<Frame> frames, IdentityHashMap<Verdict, Long> verdicts) {
    long now = clock.getAsLong();
    NavigableMap<Long, List<Verdict>> byTime = new TreeMap<>();
    verdicts.forEach(
        (verdict, ns) -> {
          long about = (ns / ABOUT_NS + 1) * ABOUT_NS;
          long time = ns == 0 ? now : Math.min(now, about);
          byTime.computeIfAbsent(time, t -> new ArrayList<>()).add(verdict);
        });
    byTime.forEach(
        (time, some) -> {
          for (int from = 0; from < some.size(); from += SPANS_PER_FRAME) {
            int to = Math.min(some.size(), from + SPANS_PER_FRAME);
            byte[] logs = RequestWriter.logs(some.subList(from, to), List.of());
            frames.add(frame(Signal.LOGS, logs, time));
          }
        });
  }

  private void addSigns(List<Frame> frames, List<Sign> signs) {
    for (int from = 0; from < signs.size(); from += SPANS_PER_FRAME) {
      int to = Math.min(signs.size(), from + SPANS_PER_FRAME);
      byte[] logs = RequestWriter.logs(List.of(), signs.subList(from, to));
      frames.add(frame(Signal.LOGS, logs, clock.getAsLong()));
    }
  }

  private static Frame frame(Signal signal, byte[] request, long receivedNs) {
    byte[] bytes = new byte[Incoming.HEAD + request.length];
    System.arraycopy(request, 0, bytes, Incoming.HEAD, request.length);
    FrameHead.write(bytes, signal, receivedNs);
    return new Frame(new Source.Checkpoint(), bytes);
  }

  static <T> T await(CompletionStage<T> stage) throws IOException {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
