package io.rollscope.sdk;

/**
 * What became of everything recorded since the process began, in records: ends of spans, starts of
 * spans that were still open when it was their turn, verdicts and late facts, points of metrics.
 *
 * @param recorded the sum of the three that follow
 * @param sent what the other side took
 * @param dropped what could not be kept or sent, see {@link Dropped}
 * @param queued what waits or is on its way
 * @param cutAttributes how many attributes were shortened or found no place
 * @param deleted what was sent to a folder and deleted later, to keep it below its limit
 */
public record Stats(
    long recorded, long sent, long dropped, long queued, long cutAttributes, Deleted deleted) {
  static final Stats NOTHING = new Stats(0, 0, 0, 0, 0, Deleted.NOTHING);
}
