package io.rollscope.core.view;

import io.rollscope.core.accounting.Group;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.table.IntColumn;
import io.rollscope.core.table.LongColumn;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Where each session belongs and when it began, so that counting need not pair it again. */
final class LivePlaces {
  private static final int NONE = -1;

  /**
   * @param worker of the session
   * @param latestWorker where something last happened to it
   */
  private record Place(
      String batch, Long trainStep, String worker, String latestWorker, Group group) {}

  private final SpanTable table;
  private final Map<Place, Integer> numbers = new HashMap<>();
  private final List<Place> places = new ArrayList<>();
  private final IntColumn place = new IntColumn(NONE);
  private final LongColumn start = new LongColumn(Nanos.UNKNOWN);

  LivePlaces(SpanTable table) {
    this.table = table;
  }

  void look(SessionSpans spans) {
    int s = spans.session();
    Coordinates at = SessionState.of(spans).at();
    int latest = spans.latestRow();
    String latestWorker =
        latest < 0 ? null : table.coordinatesOf(table.coordinates(latest)).worker().label();
    Place here =
        new Place(
            Scope.batchOf(at),
            at.trainStep(),
            at.worker().label(),
            latestWorker,
            TableGroups.of(table, s, at));
    Integer number = numbers.putIfAbsent(here, places.size());
    if (number == null) {
      places.add(here);
    }
    place.set(s, number == null ? places.size() - 1 : number);
    start.set(s, startOf(table, spans));
  }

  /** Its batch, or null. */
  String batch(int s) {
    return places.get(place.get(s)).batch();
  }

  /** Its group, or null. */
  Group group(int s) {
    return places.get(place.get(s)).group();
  }

  /** When it was submitted, else when it was first heard of, or {@link Nanos#UNKNOWN}. */
  static long startOf(SpanTable table, SessionSpans spans) {
    long submitted = table.submitted(spans.session());
    return submitted == Nanos.UNKNOWN ? spans.earliestTime() : submitted;
  }

  /** Adds all of a session that does not depend on what time it is. */
  void count(int s, Status status, long latestNs, LiveTally tally) {
    Place here = places.get(place.get(s));
    tally.ended(here.worker(), status);
    tally.happened(here.latestWorker(), latestNs);
    long from = start.get(s) == Nanos.UNKNOWN ? latestNs : start.get(s);
    tally.sessions(
        here.batch(), here.trainStep(), from, latestNs, 1, status.isUnfinished() ? 0 : 1);
  }
}
