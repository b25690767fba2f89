/** Counters, gauges and histograms: series by name and labels, all of them bounded. */
package io.rollscope.sdk.internal.metric;
