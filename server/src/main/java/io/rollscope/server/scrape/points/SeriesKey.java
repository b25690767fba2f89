package io.rollscope.server.scrape.points;

import io.rollscope.server.scrape.text.Labels;

/** What makes a series of a target. */
record SeriesKey(String run, String name, PointValue.Kind kind, Labels labels) {}
