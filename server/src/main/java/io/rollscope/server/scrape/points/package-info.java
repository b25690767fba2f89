/**
 * From what an endpoint exposes to the OTLP request that goes into the store: metrics of the right
 * kind, resets of counters, series that are gone, the run and the step that samples belong to.
 */
package io.rollscope.server.scrape.points;
