/**
 * What scraped endpoints write: Prometheus' text format 0.0.4 and OpenMetrics 1.0, read from bytes
 * into families of samples. What the samples mean is the business of {@code points}.
 */
package io.rollscope.server.scrape.text;
