package io.rollscope.otlp.record;

/**
 * A sign of life: {@code rollscope.beat}, or {@code rollscope.process.end}. The process is {@code
 * origin.instance()}, which is never null here.
 *
 * @param end whether the process says goodbye
 * @param openSpans how many it has open, or -1
 * @param droppedSpans since the process began; likewise the others
 * @param deletedSpans of pieces of a folder that were deleted to keep it below its limit
 */
public record Sign(
    Origin origin,
    String run,
    boolean end,
    long timeNs,
    long openSpans,
    long droppedSpans,
    long droppedStarts,
    long droppedMetrics,
    long cutAttributes,
    long deletedSpans) {

  /** The same at another time, as a goodbye or not. */
  public Sign at(long otherNs, boolean ended) {
    return new Sign(
        origin,
        run,
        ended,
        otherNs,
        openSpans,
        droppedSpans,
        droppedStarts,
        droppedMetrics,
        cutAttributes,
        deletedSpans);
  }
}
