package io.rollscope.sdk.internal.metric;

import java.util.List;

/**
 * A value of a series at a time.
 *
 * @param labels keys and values in turn
 * @param step training step, or null
 * @param startNs since when it is counted; 0 for gauges
 * @param distribution of a histogram, else null
 */
public record Point(
    Metric metric,
    List<String> labels,
    Long step,
    long startNs,
    long timeNs,
    double value,
    Distribution distribution) {}
