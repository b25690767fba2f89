package io.rollscope.server.scrape;

import io.rollscope.server.receive.Intake;
import io.rollscope.server.scrape.book.AddressRule;
import io.rollscope.server.scrape.book.OwnPorts;
import io.rollscope.server.scrape.book.Target;
import io.rollscope.server.scrape.book.Targets;
import io.rollscope.server.scrape.points.TargetSeries;
import java.io.Closeable;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Scrapes all targets, each in its interval, a bounded number at once. */
public final class Scraper implements Closeable {
  /** So many series are remembered, of all targets together. */
  static final int MOST_SERIES = 500_000;

  private static final Logger LOG = LoggerFactory.getLogger(Scraper.class);
  private static final int AT_ONCE = 64;
  private static final int TRANSLATED_AT_ONCE = 2;
  private static final long LOOK_AT_FILE_MS = 1_000;
  private static final long MOST_BYTES = 256L << 20;

  private final Targets targets;
  private final ScrapeSettings settings;
  private final LongSupplier clock;
  private final Supplier<String> recentRun;
  private final Fetcher fetcher;
  private final Posting posting;
  private final Room room = new Room(Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / 8));
  private final Semaphore translating = new Semaphore(TRANSLATED_AT_ONCE);
  private final ScheduledExecutorService timer;
  private final ExecutorService workers;
  private final Map<Target.Key, TargetLoop> loops = new HashMap<>();
  private final AtomicInteger series = new AtomicInteger();
  private final LongAdder scrapes = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder samples = new LongAdder();
  private boolean started;

  /**
   * @param own what is not scraped, because it is this server
   * @param intake where requests go
   * @param clock nanoseconds since the epoch
   * @param recentRun the run that was heard from last, or null
   */
  public Scraper(
      Targets targets,
      ScrapeSettings settings,
      OwnPorts own,
      Intake intake,
      LongSupplier clock,
      Supplier<String> recentRun) {
    this.targets = targets;
    this.settings = settings;
    this.clock = clock;
    this.recentRun = recentRun;
    this.fetcher =
        new Fetcher(new AddressRule(settings.allowLinkLocal()), own, InetAddress::getAllByName);
    this.timer = Executors.newSingleThreadScheduledExecutor(threads("rollscope-scrape-timer"));
    this.workers = Executors.newFixedThreadPool(AT_ONCE, threads("rollscope-scrape"));
    this.posting = new Posting(intake, timer);
  }

  private static ThreadFactory threads(String name) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Begins; targets that are known now are spread over their interval. */
  public void start() {
    targets.start(this::follow);
    synchronized (loops) {
      started = true;
    }
    var unused =
        timer.scheduleWithFixedDelay(
            () -> run(targets::lookAtFile),
            LOOK_AT_FILE_MS,
            LOOK_AT_FILE_MS,
            TimeUnit.MILLISECONDS);
  }

  private static Runnable careful(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException e) {
        LOG.warn("Looking after targets failed", e);
      }
    };
  }

  /** Begins with new targets, ends with those that are gone or have changed. */
  private void follow() {
    synchronized (loops) {
      Map<Target.Key, Target> wanted = new HashMap<>();
      targets.active().forEach(target -> wanted.put(target.key(), target));
      for (TargetLoop loop : List.copyOf(loops.values())) {
        Target same = wanted.get(loop.target().key());
        if (same == null || !same.isScrapedLike(loop.target())) {
          loops.remove(loop.target().key());
          loop.end();
          run(() -> finish(loop));
        }
      }
      for (Target target : wanted.values()) {
        if (!loops.containsKey(target.key())) {
          TargetLoop loop = new TargetLoop(target, settings);
          loops.put(target.key(), loop);
          schedule(loop, started ? 0 : loop.untilSlot(System.nanoTime()));
        }
      }
    }
  }

  private void schedule(TargetLoop loop, long delayNs) {
    try {
      var unused =
          timer.schedule(() -> run(() -> scrape(loop)), Math.max(0, delayNs), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // Closing.
    }
  }

  private void run(Runnable task) {
    try {
      workers.execute(careful(task));
    } catch (RejectedExecutionException e) {
      // Closing.
    }
  }

  private void scrape(TargetLoop loop) {
    if (loop.isEnded()) {
      return;
    }
    try (Room.Claim claim = room.claim()) {
      long timeNs = clock.getAsLong();
      long began = System.nanoTime();
      Fetcher.Fetched fetched = null;
      String failure = null;
      try {
        fetched = fetcher.fetch(loop.target().address().url(), loop.timeout(), claim);
      } catch (FetchException e) {
        failure = e.getMessage();
      }
      double durationS = (System.nanoTime() - began) / 1e9;
      translate(loop, new TargetSeries.Scrape(runOf(loop), timeNs, durationS), fetched, failure);
    } finally {
      schedule(loop, loop.untilNextSlot(System.nanoTime()));
    }
  }

  private String runOf(TargetLoop loop) {
    String given = loop.target().run();
    String recent = given == null ? recentRun.get() : given;
    return recent == null ? loop.target().job() : recent;
  }

  private void translate(
      TargetLoop loop, TargetSeries.Scrape scrape, Fetcher.Fetched fetched, String failure) {
    translating.acquireUninterruptibly();
    try {
      synchronized (loop) {
        if (loop.isEnded()) {
          return;
        }
        int before = loop.series();
        int left = MOST_SERIES - series.get() + before;
        byte[] request =
            fetched == null ? loop.down(scrape, failure) : loop.up(scrape, fetched, left);
        series.addAndGet(loop.series() - before);
        count(loop);
        posting.send(request, clock.getAsLong(), loop::remark);
      }
    } finally {
      translating.release();
    }
  }

  private void count(TargetLoop loop) {
    scrapes.increment();
    if (loop.isUp()) {
      samples.add(loop.status().samples());
    } else {
      failed.increment();
    }
  }

  /** Says of a target that is scraped no longer that its series are gone. */
  private void finish(TargetLoop loop) {
    synchronized (loop) {
      int before = loop.series();
      byte[] request = loop.end(new TargetSeries.Scrape(runOf(loop), clock.getAsLong(), 0));
      series.addAndGet(loop.series() - before);
      if (request != null) {
        posting.send(request, clock.getAsLong(), loop::remark);
      }
    }
  }

  /** All targets, by job and address. */
  public List<TargetStatus> status() {
    List<TargetStatus> all = new ArrayList<>();
    synchronized (loops) {
      loops.values().forEach(loop -> all.add(loop.status()));
    }
    all.sort(
        Comparator.comparing((TargetStatus s) -> s.target().job())
            .thenComparing(s -> s.target().address().text()));
    return all;
  }

  public ScrapeNumbers numbers() {
    int up = 0;
    int down = 0;
    int waiting = 0;
    synchronized (loops) {
      for (TargetLoop loop : loops.values()) {
        Boolean state = loop.isUp();
        waiting += state == null ? 1 : 0;
        up += Boolean.TRUE.equals(state) ? 1 : 0;
        down += Boolean.FALSE.equals(state) ? 1 : 0;
      }
    }
    return new ScrapeNumbers(
        up,
        down,
        waiting,
        series.get(),
        scrapes.sum(),
        failed.sum(),
        samples.sum(),
        posting.lost());
  }

  /** Ends scraping; what is on its way into the store may still become durable. */
  @Override
  public void close() {
    timer.shutdownNow();
    workers.shutdownNow();
    fetcher.close();
  }
}
