package io.rollscope.store;

import io.rollscope.core.metric.MetricsReport;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.table.ProcessSign;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.RunSummary;
import io.rollscope.otlp.record.Sign;
import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.DiskLock;
import io.rollscope.store.disk.DiskLockedException;
import io.rollscope.store.disk.OwnerOnly;
import io.rollscope.store.hot.HotRun;
import io.rollscope.store.hot.HotStore;
import io.rollscope.store.hot.LiveView;
import io.rollscope.store.hot.RunFigures;
import io.rollscope.store.journal.Journal;
import io.rollscope.store.journal.JournalBusyException;
import io.rollscope.store.journal.JournalHealth;
import io.rollscope.store.journal.JournalLockedException;
import io.rollscope.store.journal.JournalOptions;
import io.rollscope.store.journal.Position;
import io.rollscope.store.metric.Exposition;
import io.rollscope.store.query.Snapshots;
import io.rollscope.store.segment.Damage;
import io.rollscope.store.segment.Duck;
import io.rollscope.store.segment.Segment;
import io.rollscope.store.segment.Segments;
import io.rollscope.store.sql.SqlSnapshots;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Keeps what it acknowledged, knows what is open, and answers questions. Thread-safe. */
public final class Store implements Closeable {
  /** Bytes of requests that are durable and not yet in the hot store. */
  private static final long MOST_WAITING_BYTES =
      Math.min(256L << 20, Runtime.getRuntime().maxMemory() / 8);

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
  private static final Executor LATER =
      CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS);

  /** How long the answer to a beat waits for the question of which spans are overdue. */
  private static final long MOST_PATIENCE_MS = 200;

  private final StoreOptions options;
  private final Duck duck;
  private final DiskLock own;
  private final Segments segments;
  private final KeptBook book;
  private final HotStore hot;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Long> tailedOffsets = new ConcurrentHashMap<>();
  private final Journal journal;
  private final Applier applier;
  private final Keeper keeper;
  private final LiveSnapshots snapshots;
  private final HotRowFiles hotRowFiles;
  private final AtomicLong waitingBytes = new AtomicLong();

  /** Shared by those who hand over a request, held alone by who closes. */
  private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();

  private boolean closing;

  private Store(StoreOptions options, Duck duck, DiskLock own) throws IOException {
    this.options = options;
    this.own = own;
    this.duck = duck;
    segments = Segments.open(options.disk(), options.data(), duck, options.clock().getAsLong());
    book = new KeptBook(options.disk(), options.data());
    hot = new HotStore(segments.sealed(), options.maxOpenSpans(), book.book(), book.read());
    segments.tellSteps(hot.steps());
    Replay replay = new Replay(hot, segments.manifest(), tailedOffsets);
    Path folder = options.data().resolve("journal");
    JournalOptions limits = JournalOptions.defaults().withFileBytes(options.journalFileBytes());
    journal = Journal.open(options.disk(), folder, limits, replay);
    replay.finish(options.clock().getAsLong());
    applier = new Applier(hot, lock, replay.last());
    keeper = new Keeper(options, hot, lock, segments, journal, applier, tailedOffsets, book);
    snapshots = new LiveSnapshots(options, hot, lock, segments, duck, keeper::suspect);
    hotRowFiles = new HotRowFiles(snapshots, segments.folder(), options.data());
  }

  /**
   * Opens the store in a data folder and reads back what the journal holds.
   *
   * @throws io.rollscope.store.journal.JournalLockedException if another process has it open
   */
  public static Store open(StoreOptions options) throws IOException {
    Store store = openReadable(options);
    store.keeper.start();
    return store;
  }

  /** The same, but background work is done only when {@link #tick} is called. */
  public static Store openByHand(StoreOptions options) throws IOException {
    Store store = openReadable(options);
    store.keeper.listFinished();
    return store;
  }

  private static Store openReadable(StoreOptions options) throws IOException {
    try {
      return openOnce(options);
    } catch (IOException e) {
      if (e.getCause() instanceof SQLException && DataFolder.setAsideUnreadable(options) > 0) {
        return openOnce(options);
      }
      throw e;
    }
  }

  private static Store openOnce(StoreOptions options) throws IOException {
    options.disk().createFolders(options.data());
    OwnerOnly.warn(options.data());
    DiskLock own = lock(options.disk(), options.data());
    Duck duck = null;
    Store store = null;
    try {
      duck = Duck.open(options.data().resolve("tmp"));
      store = new Store(options, duck, own);
      store.keeper.join();
      store.snapshots.loadHistory();
      store.keeper.begin(store.snapshots::recount, store.snapshots::listFinished);
      store.applier.start(store.keeper::isFull);
      return store;
    } catch (SQLException e) {
      own.close();
      throw new IOException("DuckDB cannot be opened: " + e.getMessage(), e);
    } catch (IOException | RuntimeException | Error e) {
      giveUp(store, duck, own, e);
      throw e;
    }
  }

  private static void giveUp(Store store, Duck duck, DiskLock own, Throwable why) {
    try {
      if (store != null) {
        store.journal.close();
      }
      if (duck != null) {
        duck.close();
      }
      own.close();
    } catch (SQLException | IOException e) {
      why.addSuppressed(e);
    }
  }

  /** Before anything is looked at: half-written files of another process are not ours to remove. */
  static DiskLock lock(Disk disk, Path data) throws IOException {
    try {
      return disk.lock(data.resolve("lock"), "pid " + ProcessHandle.current().pid());
    } catch (DiskLockedException e) {
      throw new JournalLockedException(data, e.holder(), e);
    }
  }

  /**
   * Completes when the request is durable; its contents are visible at once or within a second.
   * Fails with {@link io.rollscope.store.journal.RetryableJournalException} when the sender should
   * try again later; never blocks. Completes on a thread of the store's: be brief.
   */
  public CompletionStage<Receipt> accept(Incoming incoming) {
    long bytes = incoming.bytes().length;
    if (waitingBytes.get() + bytes > MOST_WAITING_BYTES) {
      String full = keeper.full();
      String why =
          waitingBytes.get()
              + " bytes of requests are waiting (expected: at most "
              + MOST_WAITING_BYTES
              + (full == null ? ")" : "; " + full + ")");
      return CompletableFuture.failedStage(new JournalBusyException(why, RETRY_AFTER));
    }
    gate.readLock().lock();
    try {
      return closing
          ? CompletableFuture.failedStage(new JournalBusyException("the store closes", RETRY_AFTER))
          : append(incoming, bytes).thenCompose(this::unhurried);
    } finally {
      gate.readLock().unlock();
    }
  }

  /** While memory is full, senders wait for their answer: that slows them down by itself. */
  private CompletionStage<Receipt> unhurried(Receipt receipt) {
    return keeper.isFull()
        ? CompletableFuture.supplyAsync(() -> receipt, LATER)
        : CompletableFuture.completedStage(receipt);
  }

  private CompletionStage<Receipt> append(Incoming incoming, long bytes) {
    waitingBytes.addAndGet(bytes);
    FrameHead.write(incoming.bytes(), incoming.signal(), incoming.receivedNs());
    CompletableFuture<List<Long>> wantedStacks = new CompletableFuture<>();
    CompletionStage<Receipt> durable = append(incoming, bytes, wantedStacks);
    return incoming.request().signs().isEmpty()
        ? durable
        : durable.thenCompose(
            receipt ->
                wantedStacks
                    .completeOnTimeout(List.of(), MOST_PATIENCE_MS, TimeUnit.MILLISECONDS)
                    .thenApply(receipt::asking));
  }

  private CompletionStage<Receipt> append(
      Incoming incoming, long bytes, CompletableFuture<List<Long>> wantedStacks) {
    return journal.append(
        incoming.source(),
        incoming.bytes(),
        (position, failure) -> {
          if (failure != null) {
            waitingBytes.addAndGet(-bytes);
            throw new CompletionException(failure);
          }
          Receipt receipt = receipt(incoming); // Before its own spans are among the open ones.
          applied(incoming, position, bytes, wantedStacks);
          return receipt;
        });
  }

  private void applied(
      Incoming incoming,
      Position position,
      long bytes,
      CompletableFuture<List<Long>> wantedStacks) {
    applier.add(
        new Applier.Task(
            incoming.request(),
            incoming.receivedNs(),
            position,
            () -> {
              FrameHead.remember(incoming.source(), tailedOffsets);
              waitingBytes.addAndGet(-bytes);
              if (!wantedStacks.isDone()) {
                wantedStacks.complete(wantedStacks(incoming));
              }
            }));
  }

  /** The caller holds the lock. */
  private List<Long> wantedStacks(Incoming incoming) {
    List<Sign> signs = incoming.request().signs();
    return signs.isEmpty()
        ? List.of()
        : hot.wantedStacks(signs.get(0).origin(), incoming.receivedNs());
  }

  /** What will not be taken or shown, told before it is applied. */
  private Receipt receipt(Incoming incoming) {
    if (!incoming.request().points().isEmpty()) {
      return new Receipt(book.book().refused(incoming.request().points()));
    }
    long open = incoming.request().spans().stream().filter(s -> s.isOpen()).count();
    long room = (long) options.maxOpenSpans() - applier.openSpans();
    return open == 0 || open <= room
        ? Receipt.ALL_TAKEN
        : new Receipt(Map.of(HotStore.OPEN_LIMIT, open - Math.max(0, room)));
  }

  /** Up to where a tailed file's events are durable; 0 for one never seen. */
  public long tailedOffset(String fileId) {
    return tailedOffsets.getOrDefault(fileId, 0L);
  }

  /** The live board of one run; empty for a run that is not known. */
  public LiveReport live(String name, ReportRequest request) {
    lock.lock();
    try {
      hot.settle();
      HotRun run = hot.runs().getOrDefault(name, HotRun.empty(name));
      return LiveView.of(run, request, hot.processes(), options.clock().getAsLong());
    } finally {
      lock.unlock();
    }
  }

  /** Up to when the open work of a run counts, in nanoseconds since the epoch. */
  public long nowOf(String run) {
    lock.lock();
    try {
      hot.settle();
      HotRun known = hot.runs().get(run);
      long now = options.clock().getAsLong();
      return known == null ? now : known.now(now);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Of a run that is long over and has open work its newest beat: what is open counts up to that,
   * or to the last event of what is looked at (contracts.md 6.10). Else nothing.
   */
  public OptionalLong lastBeatIfLeftOpen(String run) {
    lock.lock();
    try {
      HotRun known = hot.runs().get(run);
      return known != null && known.isLeftOpen(options.clock().getAsLong())
          ? OptionalLong.of(known.lastSignNs())
          : OptionalLong.empty();
    } finally {
      lock.unlock();
    }
  }

  /** What the processes of a run said of themselves last. */
  public List<ProcessSign> processes(String run) {
    lock.lock();
    try {
      hot.settle();
      HotRun known = hot.runs().get(run);
      return known == null ? List.of() : known.processes(hot.processes());
    } finally {
      lock.unlock();
    }
  }

  /** Client metrics for others to scrape. */
  public Exposition exposition(Exposition.Rules rules) {
    lock.lock();
    try {
      long now = options.clock().getAsLong();
      return hot.book().exposition(rules, now, hot.processes()::heardNs);
    } finally {
      lock.unlock();
    }
  }

  /** Runs in numbers, those with the newest activity first. */
  public List<RunFigures> figures(int most) {
    lock.lock();
    try {
      hot.settle();
      long now = options.clock().getAsLong();
      return newest(run -> true)
          .limit(most)
          .map(run -> RunFigures.of(run, hot.processes(), now))
          .toList();
    } finally {
      lock.unlock();
    }
  }

  /** What is wrong with the metrics of a run. */
  public List<MetricsReport.Problem> metricProblems(String run) {
    lock.lock();
    try {
      return hot.book().problems(run);
    } finally {
      lock.unlock();
    }
  }

  /** Changes whenever the live board of any run may have changed. */
  public long version() {
    return applier.version();
  }

  /** All runs, newest activity first. */
  public List<RunSummary> runs() {
    return runs(name -> true, 0, Long.MAX_VALUE);
  }

  /** Whether there is such a run. */
  public boolean knows(String run) {
    lock.lock();
    try {
      hot.settle();
      HotRun known = hot.runs().get(run);
      return known != null && known.isKnown();
    } finally {
      lock.unlock();
    }
  }

  /** A run, if it is known. */
  public Optional<RunSummary> run(String run) {
    lock.lock();
    try {
      hot.settle();
      return Optional.ofNullable(hot.runs().get(run))
          .filter(HotRun::isKnown)
          .map(known -> known.summary(options.clock().getAsLong()));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs, newest activity first.
   *
   * @param name only those whose name this accepts
   * @param skipped so many of them are left out first
   */
  public List<RunSummary> runs(Predicate<String> name, long skipped, long most) {
    lock.lock();
    try {
      hot.settle();
      long now = options.clock().getAsLong();
      return newest(run -> name.test(run.name()))
          .skip(skipped)
          .limit(most)
          .map(run -> run.summary(now))
          .toList();
    } finally {
      lock.unlock();
    }
  }

  /** By when they end: a summary looks at every session, and most runs are not asked for. */
  private Stream<HotRun> newest(Predicate<HotRun> wanted) {
    return hot.runs().values().stream()
        .filter(run -> run.isKnown() && wanted.test(run))
        .sorted(Comparator.comparingLong(HotRun::end).reversed().thenComparing(HotRun::name));
  }

  public Snapshots snapshots() {
    return snapshots;
  }

  /** What users' SQL sees, in files. */
  public SqlSnapshots sqlSnapshots() {
    return hotRowFiles;
  }

  /** Deletes all data of a run. Returns how many spans went. */
  public long deleteRun(String run) throws IOException {
    return keeper.deleteRun(run);
  }

  public StoreHealth health() {
    List<String> damaged = segments.manifest().damaged().stream().map(Damage::text).toList();
    if (journal.health() instanceof JournalHealth.Failing failing) {
      return new StoreHealth(false, "journal: " + failing.reason(), damaged);
    }
    String reason = keeper.failure();
    return new StoreHealth(reason.isEmpty(), reason, damaged);
  }

  public StoreNumbers numbers() {
    List<Segment> all = segments.manifest().segments();
    int damaged = segments.manifest().damaged().size();
    lock.lock();
    try {
      var counts = hot.counts();
      long now = options.clock().getAsLong();
      return new StoreNumbers(
          journal.numbers(),
          journal.recovery(),
          counts.spans(),
          counts.starts(),
          counts.verdicts(),
          counts.beats(),
          counts.points(),
          counts.duplicates(),
          counts.duplicatePoints(),
          counts.repaired(),
          segments.cutEvents(),
          counts.open(),
          counts.hot(),
          hot.traceCount(),
          hot.sessions().size(),
          hot.processes().count(),
          hot.processes().lostCount(now),
          hot.waitingVerdicts(),
          counts.refused(),
          hot.book().problemCounts(),
          all.size(),
          all.stream().mapToLong(Segment::spans).sum(),
          all.stream().mapToLong(Segment::bytes).sum(),
          damaged,
          keeper.seals(),
          keeper.sealFailures(),
          applier.waiting());
    } finally {
      lock.unlock();
    }
  }

  /** Does the background work that is due, once. */
  public void tick() {
    keeper.tick();
  }

  /** Waits until everything acknowledged so far is visible. */
  public void awaitApplied() throws IOException {
    keeper.applied().join();
  }

  /** Writes what is waiting and gives the folder free. */
  @Override
  public void close() throws IOException {
    gate.writeLock().lock();
    try {
      closing = true;
    } finally {
      gate.writeLock().unlock();
    }
    IOException failure = null;
    for (Closeable part :
        List.<Closeable>of(
            this::handOver,
            applier::close,
            keeper::close,
            journal,
            hotRowFiles,
            this::closeDuck,
            own)) {
      try {
        part.close();
      } catch (IOException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Waits until every request that was taken is with the applier, or has failed. */
  private void handOver() throws IOException {
    Checkpoints.await(journal.deleteBefore(new Position(0, 0)));
  }

  private void closeDuck() throws IOException {
    try {
      duck.close();
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }
}
