package io.rollscope.core.table;

import io.rollscope.core.model.Worker;

/**
 * What a process last said of itself.
 *
 * @param instance what it is known by
 * @param host or null
 * @param pid or null
 * @param timeNs when it said so
 * @param ended whether that was its end
 * @param droppedSpans what it had to drop since it began; likewise the others
 * @param deletedSpans of pieces that were deleted before they were read; 0 on a server, which has
 *     read them
 */
public record ProcessSign(
    String instance,
    Worker worker,
    String host,
    Long pid,
    long timeNs,
    boolean ended,
    long droppedSpans,
    long droppedStarts,
    long droppedMetrics,
    long cutAttributes,
    long deletedSpans) {}
