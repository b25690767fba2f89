/**
 * Load for the ingest and query benchmarks: spans of rollouts, encoded beforehand for each kind of
 * receiver, whose ids, times and numbers are written over before each send so that none repeats.
 */
package io.rollscope.benchmarks.load;
