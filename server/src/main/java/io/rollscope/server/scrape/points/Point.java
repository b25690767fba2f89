package io.rollscope.server.scrape.points;

/**
 * One point of a request.
 *
 * @param unit null when nothing is said
 * @param startNs since when it counts; 0 when unknown
 * @param value null when the series has gone
 */
record Point(SeriesKey series, String unit, long startNs, long timeNs, PointValue value) {}
