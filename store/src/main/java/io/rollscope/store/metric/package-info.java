/**
 * What is in memory of metrics: where each series stands, what is wrong with any, and what of them
 * others may scrape.
 */
package io.rollscope.store.metric;
