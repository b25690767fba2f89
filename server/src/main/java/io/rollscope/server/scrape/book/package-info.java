/**
 * Which targets are scraped: the book that the API writes ({@code <data>/targets.json}), the
 * operator's targets file, and the files for a Prometheus that shares them.
 */
package io.rollscope.server.scrape.book;
