package io.rollscope.store;

import io.rollscope.store.hot.HotStore;
import io.rollscope.store.hot.HotStore.HotPoint;
import io.rollscope.store.hot.Sealing;
import io.rollscope.store.hot.Sealing.Urgency;
import io.rollscope.store.journal.Journal;
import io.rollscope.store.segment.Damage;
import io.rollscope.store.segment.SegmentVerification;
import io.rollscope.store.segment.Segments;
import io.rollscope.store.segment.Upkeep;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Looks after the store four times a second, on a thread of its own: seals what has come to rest,
 * lets journal files go, merges small segments, and removes what is too old.
 */
final class Keeper implements Runnable {
  private static final long TICK_MS = 250;
  private static final long UPKEEP_NS = 10_000_000_000L;
  private static final int RETRY_TICKS = 4;
  private static final int MOST_POINTS = 500_000;

  /** Read at a tick to compare checksums after a start: at most 64 MiB a second. */
  private static final long VERIFIED_BYTES = 16L << 20;

  /** The same while a question or a merge fails because of a segment. */
  private static final long FAST_BYTES = 256L << 20;

  /** If all segments are sound, the next failure is no reason to read them all again. */
  private static final long SUSPICION_NS = 600_000_000_000L;

  private final StoreOptions options;
  private final HotStore hot;
  private final ReentrantLock hotLock;
  private final Segments segments;
  private final Applier applier;
  private final Sealing sealing;
  private final Upkeep upkeep;
  private final Rejoining rejoining;
  private final Checkpoints checkpoints;
  private final SegmentVerification verification;
  private final Thread thread = new Thread(this, "rollscope-keeper");

  /** Held while segments change; never while waiting for a sender. */
  private final ReentrantLock work = new ReentrantLock();

  private final Condition wake = work.newCondition();
  private boolean closing;
  private long sealedNs;
  private long upkeptNs;
  private final AtomicLong seals = new AtomicLong();
  private final AtomicLong sealFailures = new AtomicLong();
  private volatile String failure = "";
  private String upkeepFailure = "";
  private int ticks;
  private volatile boolean suspicion;
  private boolean thorough;
  private long suspectedNs = Long.MIN_VALUE / 2;
  private Recount recount;
  private Recount finished;

  Keeper(
      StoreOptions options,
      HotStore hot,
      ReentrantLock hotLock,
      Segments segments,
      Journal journal,
      Applier applier,
      Map<String, Long> tailedOffsets,
      KeptBook book) {
    this.options = options;
    this.hot = hot;
    this.hotLock = hotLock;
    this.segments = segments;
    this.applier = applier;
    sealing = new Sealing(hot, options.sealAfter().toNanos());
    upkeep = new Upkeep(segments);
    rejoining = new Rejoining(hot, hotLock, segments);
    verification = new SegmentVerification(segments);
    checkpoints =
        new Checkpoints(
            hot,
            hotLock,
            journal,
            applier,
            tailedOffsets,
            options.clock(),
            () -> segments.manifest().next(),
            book);
    sealedNs = options.clock().getAsLong();
    thread.setDaemon(true);
  }

  /** Joins what the journal brought back of sessions with what segments hold of them. */
  void join() throws IOException {
    rejoining.welcomeReplayed(options.clock().getAsLong());
  }

  /** Counts anew what is in segments. */
  @FunctionalInterface
  interface Recount {
    void run() throws IOException;
  }

  /**
   * Begins with a look at all segments, which goes on while the store works.
   *
   * @param listFinished tells the board which sessions have ended
   */
  void begin(Recount countAnew, Recount listFinished) {
    recount = countAnew;
    finished = listFinished;
    verification.begin(false);
  }

  /** Segments could not be read: which one is damaged has to be found out. Any thread may call. */
  void suspect() {
    suspicion = true;
  }

  /** From now on the work is done by itself. */
  void start() {
    thread.start();
  }

  /** The board lists what segments hold: the first thing to do, and nothing waits for it. */
  void listFinished() {
    try {
      finished.run();
    } catch (IOException | RuntimeException | Error e) {
      upkeepFailure = failed("finished sessions cannot be listed", upkeepFailure, e);
    }
  }

  @Override
  public void run() {
    work.lock();
    try {
      listFinished();
      while (!closing) {
        work();
        long left = TimeUnit.MILLISECONDS.toNanos(TICK_MS);
        while (left > 0 && !closing) {
          left = wake.awaitNanos(left);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      work.unlock();
    }
  }

  /** Does what is due, on the caller's thread. */
  void tick() {
    work.lock();
    try {
      work();
    } finally {
      work.unlock();
    }
  }

  /** Completes when everything acknowledged so far is in the hot store. */
  CompletableFuture<Boolean> applied() throws IOException {
    return checkpoints.applied();
  }

  private void work() {
    long now = options.clock().getAsLong();
    ticks++;
    checkpoints.probe();
    try {
      rejoining.welcomeBack(now);
      rejoining.searchForVerdicts(now);
      Urgency urgency = urgency();
      boolean due = now - sealedNs >= options.sealAfter().toNanos() / 3 || now < sealedNs;
      boolean again = !failure.isEmpty() && ticks % RETRY_TICKS == 0;
      if (failure.isEmpty() ? urgency != Urgency.ROUTINE || due : again) {
        seal(urgency, now);
        checkpoints.trim();
        failure = "";
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = failed("data cannot be written", failure, e);
    }
    try {
      verify(now);
    } catch (IOException | RuntimeException | Error e) {
      upkeepFailure = failed("segments cannot be verified", upkeepFailure, e);
    }
    if (now - upkeptNs >= UPKEEP_NS || now < upkeptNs) {
      upkeptNs = now;
      try {
        upkeep(now);
        upkeepFailure = "";
      } catch (IOException | RuntimeException | Error e) {
        upkeepFailure = failed("segments cannot be looked after", upkeepFailure, e);
      }
    }
  }

  /** Looks at some more segments; what is damaged must not stop everything else. */
  private void verify(long now) throws IOException {
    boolean again = Math.abs(now - suspectedNs) >= SUSPICION_NS;
    if (suspicion && again) {
      suspectedNs = now;
      thorough = true;
      verification.begin(true);
    }
    suspicion = false;
    if (!verification.isRunning()) {
      return;
    }
    List<Damage> found = verification.step(thorough ? FAST_BYTES : VERIFIED_BYTES, now);
    thorough &= verification.isRunning();
    if (!found.isEmpty()) {
      suspectedNs = Long.MIN_VALUE / 2; // There may be more.
      segments.setAside(found);
      recount.run();
    }
  }

  private void upkeep(long now) throws IOException {
    hotLock.lock();
    try {
      Checkpoints.Mark journal = checkpoints.forgettable();
      segments.forgetOldIds(now, journal.ns(), journal.segment());
    } finally {
      hotLock.unlock();
    }
    upkeep.removeDeleted(now);
    boolean changed = rejoining.reunite(now) > 0;
    if (options.retention() != null) {
      changed |= dropOld(now - options.retention().toNanos(), now);
    }
    if (changed) {
      recount.run();
    }
    upkeep.compact(now);
  }

  private boolean dropOld(long before, long now) throws IOException {
    if (upkeep.dropBefore(before, now) == 0) {
      return false;
    }
    hotLock.lock();
    try {
      hot.dropCards(before);
    } finally {
      hotLock.unlock();
    }
    return true;
  }

  /** Tells the operator once; what fails is tried again. */
  private String failed(String what, String before, Throwable e) {
    sealFailures.incrementAndGet();
    suspicion |= e.getCause() instanceof SQLException;
    String reason = e instanceof IOException ? e.getMessage() : e.toString();
    if (before.isEmpty()) {
      System.err.println("rollscope: " + what + ": " + reason);
    }
    return reason;
  }

  private Urgency urgency() {
    int unsealed = applier.unsealed();
    long bytes = applier.hotBytes();
    if (unsealed >= 3 * options.sealRows() || bytes >= options.maxHotBytes() / 2) {
      return Urgency.ALL;
    }
    return unsealed >= options.sealRows() || bytes >= options.maxHotBytes() / 4
        ? Urgency.PRESSED
        : Urgency.ROUTINE;
  }

  /** Writes one segment of what is ready. */
  private void seal(Urgency urgency, long now) throws IOException {
    sealedNs = now;
    Sealing.Batch batch;
    List<HotPoint> points;
    hotLock.lock();
    try {
      batch = sealing.select(urgency, options.sealRows() * 2, now);
      points = hot.oldestPoints(MOST_POINTS);
    } finally {
      hotLock.unlock();
    }
    if (batch.groups().isEmpty() && points.isEmpty()) {
      return;
    }
    try {
      Sealing.sort(batch);
      Segments.Prepared prepared = segments.write(batch, points, now);
      hotLock.lock();
      try {
        segments.commit(prepared);
        sealing.done(batch, now);
        hot.dropPoints(points.size());
        applier.sealed();
      } finally {
        hotLock.unlock();
      }
      seals.incrementAndGet();
    } catch (IOException | RuntimeException | Error e) {
      hotLock.lock();
      try {
        sealing.failed(batch);
      } finally {
        hotLock.unlock();
      }
      throw e;
    }
  }

  /** Why nothing more can be brought into memory at the moment, or null. */
  String full() {
    int unsealed = applier.unsealed();
    String why = failure.isEmpty() ? ")" : "; " + failure + ")";
    if (unsealed >= 4 * options.sealRows()) {
      int most = 4 * options.sealRows();
      return unsealed
          + " spans and points are waiting for a segment (expected: at most "
          + most
          + why;
    }
    long bytes = applier.hotBytes();
    if (bytes >= options.maxHotBytes()) {
      return bytes
          + " bytes of spans are in memory (expected: at most "
          + options.maxHotBytes()
          + why;
    }
    return null;
  }

  boolean isFull() {
    return full() != null;
  }

  /** What keeps the store from writing segments; empty when nothing does. */
  String failure() {
    return failure;
  }

  long seals() {
    return seals.get();
  }

  long sealFailures() {
    return sealFailures.get();
  }

  /** Removes a run from memory, journal and segments. Returns how many spans went. */
  long deleteRun(String run) throws IOException {
    work.lock();
    try {
      if (closing) {
        throw new IOException("run: " + run + " cannot be deleted (expected: an open store)");
      }
      long now = options.clock().getAsLong();
      awaitApplied(now);
      long spans;
      hotLock.lock();
      try {
        spans = hot.forgetRun(run);
        applier.sealed();
      } finally {
        hotLock.unlock();
      }
      forgetJournal(now);
      long[] ids = upkeep.hashes(run, segments.rememberedSinceNs());
      spans += upkeep.deleteRun(run, now);
      hotLock.lock();
      try {
        segments.forgetIds(ids);
      } finally {
        hotLock.unlock();
      }
      return spans;
    } finally {
      work.unlock();
    }
  }

  /** Waits for the applier, and makes room for it when memory is full: nobody else does. */
  private void awaitApplied(long now) throws IOException {
    CompletableFuture<Boolean> reached = checkpoints.applied();
    while (!reached.isDone()) {
      if (isFull()) {
        rejoining.welcomeBack(now);
        seal(Urgency.ALL, now);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  /** Whatever the journal holds now goes from it: into segments, or once more into a new file. */
  private void forgetJournal(long now) throws IOException {
    checkpoints.restate();
    awaitApplied(now);
    long before;
    do {
      before = seals.get();
      rejoining.welcomeBack(now);
      seal(Urgency.ALL, now);
    } while (seals.get() > before);
    checkpoints.restate();
  }

  /** Seals what has ended, so that the next start has little to read. */
  void close() throws IOException {
    work.lock();
    try {
      closing = true;
      wake.signalAll();
      if (failure.isEmpty()) {
        rejoining.welcomeBack(options.clock().getAsLong());
        seal(Urgency.CLOSING, options.clock().getAsLong());
        checkpoints.restate();
      }
    } finally {
      work.unlock();
    }
  }
}
