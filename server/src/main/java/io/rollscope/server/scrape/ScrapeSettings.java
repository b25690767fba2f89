package io.rollscope.server.scrape;

import java.time.Duration;

/**
 * How targets are scraped.
 *
 * @param interval of targets that name none
 * @param allowLinkLocal whether link-local and metadata addresses are scraped
 */
public record ScrapeSettings(Duration interval, boolean allowLinkLocal) {
  private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(10);

  /** The timeout of targets that name none. */
  public Duration timeout(Duration every) {
    return every.compareTo(USUAL_TIMEOUT) < 0 ? every : USUAL_TIMEOUT;
  }
}
