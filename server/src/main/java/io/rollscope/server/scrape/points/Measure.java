package io.rollscope.server.scrape.points;

import io.rollscope.server.scrape.text.Labels;

/**
 * What an endpoint says of one series.
 *
 * @param unit null when nothing is said
 * @param timeNs its own time, or {@code Sample.NOW}
 * @param createdNs when it began to count, 0 when unknown
 */
record Measure(
    String name,
    PointValue.Kind kind,
    String unit,
    Labels labels,
    PointValue value,
    long timeNs,
    long createdNs) {}
