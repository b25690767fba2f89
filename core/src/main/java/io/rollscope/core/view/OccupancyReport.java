package io.rollscope.core.view;

import java.util.Map;

/**
 * How many sessions were where, over time. Values are means over a bucket: a session that spends
 * half of a bucket in a stage counts one half. In each bucket all stages and waits but {@code
 * barrier} together are the sessions alive.
 *
 * @param bucketNs length of a bucket
 * @param startS where each bucket begins
 * @param alive sessions that had not ended their own work
 * @param stages by stage, the one with most time first
 * @param waits {@code queue}, {@code gap}, {@code siblings}, {@code barrier}, {@code unaccounted}
 * @param sessions how many sessions were looked at
 * @param leftOut sessions of the window not looked at, because there are too many
 */
public record OccupancyReport(
    String source,
    String run,
    String scope,
    long fromNs,
    long toNs,
    double bucketNs,
    double[] startS,
    double[] alive,
    Map<String, double[]> stages,
    Map<String, double[]> waits,
    int sessions,
    long leftOut) {}
