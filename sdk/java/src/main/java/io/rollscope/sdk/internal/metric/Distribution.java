package io.rollscope.sdk.internal.metric;

/** A histogram at a moment: one count more than bounds. */
public record Distribution(
    long count, double sum, double min, double max, double[] bounds, long[] counts) {}
