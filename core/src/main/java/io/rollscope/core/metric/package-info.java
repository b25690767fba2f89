/**
 * Metrics of a run: which there are, and charts of them. Everything here is about points that a
 * {@link io.rollscope.core.metric.MetricPoints} gives: the store of a server, or {@link
 * io.rollscope.core.metric.PointTable}, which folders are read into.
 */
package io.rollscope.core.metric;
