package io.rollscope.server.scrape;

import io.rollscope.server.scrape.book.Target;
import io.rollscope.server.scrape.points.Remarks;
import io.rollscope.server.scrape.points.TargetSeries;
import io.rollscope.server.scrape.text.ExpositionException;
import io.rollscope.server.scrape.text.ExpositionParser;
import io.rollscope.server.scrape.text.Family;
import io.rollscope.server.scrape.text.Labels;
import java.time.Duration;
import java.util.List;

/** One target: when it is due, what it last said, how it fares. One thread at a time. */
final class TargetLoop {
  /** More samples of one target are refused. */
  static final int MOST_SAMPLES = 50_000;

  private final Target target;
  private final Duration interval;
  private final Duration timeout;
  private final TargetSeries series;
  private volatile boolean ended;
  private volatile Outcome outcome = new Outcome(null, null, null, null, null, null);

  private record Outcome(
      Boolean up, Double sinceS, Double scrapeS, Double durationS, Integer samples, String error) {}

  TargetLoop(Target target, ScrapeSettings settings) {
    this.target = target;
    this.interval = target.interval() == null ? settings.interval() : target.interval();
    Duration given = target.timeout() == null ? settings.timeout(interval) : target.timeout();
    this.timeout = given.compareTo(interval) > 0 ? interval : given;
    this.series =
        new TargetSeries(target.job(), target.address().text(), Labels.of(target.labels()));
  }

  Target target() {
    return target;
  }

  Duration timeout() {
    return timeout;
  }

  /** Nanoseconds from now until its slot, which is its own among all targets. */
  long untilSlot(long nowNs) {
    long every = interval.toNanos();
    long slot = Math.floorMod(target.key().hashCode() * 0x9E3779B97F4A7C15L, every);
    return Math.floorMod(slot - nowNs, every);
  }

  /** The same for the slot after one that was just used, however late. */
  long untilNextSlot(long nowNs) {
    long half = interval.toNanos() / 2;
    return half + untilSlot(nowNs + half);
  }

  void end() {
    ended = true;
  }

  boolean isEnded() {
    return ended;
  }

  int series() {
    return series.size();
  }

  /**
   * The request for what a target answered.
   *
   * @param room how many series it may have
   */
  byte[] up(TargetSeries.Scrape scrape, Fetcher.Fetched fetched, int room) {
    Remarks remarks = new Remarks();
    List<Family> families;
    try {
      families = ExpositionParser.parse(fetched.body(), fetched.openMetrics(), MOST_SAMPLES);
    } catch (ExpositionException e) {
      return down(scrape, e.getMessage());
    }
    int samples = families.stream().mapToInt(f -> f.samples().size()).sum();
    if (samples > room) {
      return down(
          scrape,
          "series of all targets: too many (expected: at most " + Scraper.MOST_SERIES + ")");
    }
    byte[] request = series.up(scrape, families, remarks);
    outcome = outcome(true, scrape, samples, remarks.text());
    return request;
  }

  /** The request for a target that could not be scraped. */
  byte[] down(TargetSeries.Scrape scrape, String why) {
    outcome = outcome(false, scrape, 0, why);
    return series.down(scrape);
  }

  private Outcome outcome(boolean up, TargetSeries.Scrape scrape, int samples, String error) {
    Outcome last = outcome;
    double atS = scrape.timeNs() / 1e9;
    boolean goesOn = last.up() != null && last.up() == up;
    return new Outcome(up, goesOn ? last.sinceS() : atS, atS, scrape.durationS(), samples, error);
  }

  /** The request for a target that is scraped no longer; null if it never was. */
  byte[] end(TargetSeries.Scrape scrape) {
    return outcome.up() == null ? null : series.end(scrape);
  }

  /** What happened to the last request on its way. */
  void remark(String what) {
    Outcome last = outcome;
    String error = last.error() == null ? what : last.error() + "; " + what;
    outcome =
        new Outcome(
            last.up(), last.sinceS(), last.scrapeS(), last.durationS(), last.samples(), error);
  }

  Boolean isUp() {
    return outcome.up();
  }

  TargetStatus status() {
    Outcome last = outcome;
    return new TargetStatus(
        target,
        interval.toMillis() / 1e3,
        timeout.toMillis() / 1e3,
        last.up(),
        last.sinceS(),
        last.scrapeS(),
        last.durationS(),
        last.samples(),
        last.error());
  }
}
