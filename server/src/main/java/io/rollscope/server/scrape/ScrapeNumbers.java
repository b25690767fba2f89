package io.rollscope.server.scrape;

/**
 * What scraping tells about itself.
 *
 * @param waiting targets that were not scraped yet
 * @param series of all targets, in their last scrapes
 * @param lost requests the store did not take
 */
public record ScrapeNumbers(
    int up,
    int down,
    int waiting,
    long series,
    long scrapes,
    long failed,
    long samples,
    long lost) {}
