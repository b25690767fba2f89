package io.rollscope.server.scrape.book;

import java.time.Duration;
import java.util.Map;

/**
 * Something to scrape.
 *
 * @param labels what its owner says of all its series, sorted by name
 * @param run that series without one of their own belong to; null to find out
 * @param interval null for the usual one
 * @param timeout null for the usual one
 * @param experiment under which it was registered, or null
 * @param addedNs when it was last registered, in nanoseconds since the epoch
 */
public record Target(
    TargetAddress address,
    String job,
    Map<String, String> labels,
    String run,
    Duration interval,
    Duration timeout,
    Source source,
    ExperimentId experiment,
    long addedNs) {

  /** Who said that it is to be scraped. */
  public enum Source {
    API("api"),
    FILE("file"),
    RL_INSIGHT("rl-insight");

    private final String word;

    Source(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  /** What a target is known by: one job scrapes an address once. */
  public record Key(String job, String target) {}

  public Key key() {
    return new Key(job, address.text());
  }

  /** Whether it is scraped in the same way; a new registration alone changes nothing. */
  public boolean isScrapedLike(Target other) {
    return withAddedNs(0).equals(other.withAddedNs(0));
  }

  private Target withAddedNs(long ns) {
    return new Target(address, job, labels, run, interval, timeout, source, experiment, ns);
  }
}
