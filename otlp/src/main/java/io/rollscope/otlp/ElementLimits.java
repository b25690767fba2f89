package io.rollscope.otlp;

import io.rollscope.otlp.wire.MalformedException;
import io.rollscope.otlp.wire.ProtoCursor;

/**
 * How many elements a received request may hold. An empty resource takes two bytes and costs what a
 * full one costs, so that a limit on bytes does not bound the work. Checked before anything is
 * decoded, and only for what is received: what is in the journal was taken already.
 */
public final class ElementLimits {
  /** Resources; a gateway that mixes all processes of a large cluster sends some thousands. */
  public static final int MAX_RESOURCES = 100_000;

  /** Scopes, of all resources together. */
  public static final int MAX_SCOPES = 100_000;

  /** Spans, log records, metrics and points; twice of what is taken of one request. */
  public static final int MAX_ITEMS = 1_000_000;

  private static final int RESOURCES = ProtoCursor.tagOf(1, ProtoCursor.BYTES);
  private static final int SCOPES = ProtoCursor.tagOf(2, ProtoCursor.BYTES);
  private static final int ITEMS = ProtoCursor.tagOf(2, ProtoCursor.BYTES);
  private static final int POINTS = ProtoCursor.tagOf(1, ProtoCursor.BYTES);

  private final Signal signal;
  private final ProtoCursor c;
  private int resources;
  private int scopes;
  private int items;

  private ElementLimits(Signal signal, byte[] protobuf, int from) {
    this.signal = signal;
    this.c = new ProtoCursor(protobuf, from, protobuf.length);
  }

  /**
   * Looks at the outline of a request, no further than it is too long.
   *
   * @throws TooManyElementsException when it holds too many of something
   */
  public static void check(Signal signal, byte[] protobuf, int from) throws BadRequestException {
    try {
      new ElementLimits(signal, protobuf, from).countResources();
    } catch (MalformedException e) {
      throw new BadRequestException(e.getMessage());
    }
  }

  private void countResources() throws MalformedException, TooManyElementsException {
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag == RESOURCES) {
        resources = next(resources, MAX_RESOURCES, "resources");
        int outer = c.enter();
        countScopes();
        c.leave(outer);
      } else {
        c.skip(tag);
      }
    }
  }

  private void countScopes() throws MalformedException, TooManyElementsException {
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag == SCOPES) {
        scopes = next(scopes, MAX_SCOPES, "scopes");
        int outer = c.enter();
        countItems();
        c.leave(outer);
      } else {
        c.skip(tag);
      }
    }
  }

  private void countItems() throws MalformedException, TooManyElementsException {
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag != ITEMS) {
        c.skip(tag);
        continue;
      }
      items = next(items, MAX_ITEMS, "items");
      if (signal == Signal.METRICS) {
        int outer = c.enter();
        countPointsOfMetric();
        c.leave(outer);
      } else {
        c.skip(tag);
      }
    }
  }

  private void countPointsOfMetric() throws MalformedException, TooManyElementsException {
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (PointKind.ofField(tag) == null) {
        c.skip(tag);
        continue;
      }
      int outer = c.enter();
      for (int field = c.tag(); field != 0; field = c.tag()) {
        if (field == POINTS) {
          items = next(items, MAX_ITEMS, "items");
        }
        c.skip(field);
      }
      c.leave(outer);
    }
  }

  private static int next(int count, int limit, String what) throws TooManyElementsException {
    if (count == limit) {
      throw tooMany(what, limit);
    }
    return count + 1;
  }

  static TooManyElementsException tooMany(String what, int limit) {
    return new TooManyElementsException(
        "request: too many " + what + " (expected: at most " + limit + "; send several)");
  }
}
