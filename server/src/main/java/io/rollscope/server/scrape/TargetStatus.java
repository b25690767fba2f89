package io.rollscope.server.scrape;

import io.rollscope.server.scrape.book.Target;

/**
 * A target and how it fared.
 *
 * @param intervalS in force
 * @param timeoutS in force
 * @param up null before the first scrape
 * @param sinceS when it was first seen up, or down, without a change since; null before the first
 *     scrape
 * @param lastScrapeS seconds since the epoch; null before the first scrape, likewise the next two
 * @param error why it is down, or what was left out; null when all is well
 */
public record TargetStatus(
    Target target,
    double intervalS,
    double timeoutS,
    Boolean up,
    Double sinceS,
    Double lastScrapeS,
    Double lastDurationS,
    Integer samples,
    String error) {}
