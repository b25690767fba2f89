package io.rollscope.core.model;

import java.util.Map;

/**
 * Something that happened to a session, as a source of live events reports it. Files are read
 * straight into columns; this form is for sources that produce events one at a time.
 */
public sealed interface Event permits Event.Start, Event.End, Event.Point {

  /** Id of the session it happened to. */
  String session();

  /** Raw name of the span, or of the point. */
  String name();

  /** When, in nanoseconds since the epoch. */
  long timeNs();

  /** Where it belongs. */
  Coordinates at();

  /** A span began. */
  record Start(String session, String name, long timeNs, Coordinates at) implements Event {}

  /**
   * The newest open span of that name in that session ended.
   *
   * @param elapsedNs how long it took by a monotonic clock
   * @param outcome never {@link Outcome#OPEN}
   * @param error {@code Type: message} for {@link Outcome#ERROR}, else null
   * @param attributes what is known at the end: tokens, reward and the like
   */
  record End(
      String session,
      String name,
      long timeNs,
      Coordinates at,
      long elapsedNs,
      Outcome outcome,
      String error,
      Map<String, Object> attributes)
      implements Event {}

  /** Something happened at an instant. */
  record Point(
      String session, String name, long timeNs, Coordinates at, Map<String, Object> attributes)
      implements Event {}
}
