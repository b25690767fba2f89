package io.rollscope.otlp;

import io.rollscope.otlp.record.Request;
import io.rollscope.otlp.wire.MalformedException;
import io.rollscope.otlp.wire.ProtoCursor;

/**
 * Decodes export requests (protobuf) into records. Hot: works on the bytes, and keeps them, because
 * attributes stay where they are. Thread-safe.
 *
 * <p>All three signals have one shape: a request holds resources, a resource scopes, a scope items.
 */
public final class RequestDecoder {
  private static final int RESOURCES = ProtoCursor.tagOf(1, ProtoCursor.BYTES);
  private static final int RESOURCE = ProtoCursor.tagOf(1, ProtoCursor.BYTES);
  private static final int SCOPES = ProtoCursor.tagOf(2, ProtoCursor.BYTES);
  private static final int ITEMS = ProtoCursor.tagOf(2, ProtoCursor.BYTES);

  private RequestDecoder() {}

  /**
   * @param protobuf must not be changed afterwards
   * @param from where the message begins in it
   * @param receivedNs when it came in, in nanoseconds since the epoch; times more than a day after
   *     that are refused
   */
  public static Request decode(Signal signal, byte[] protobuf, int from, long receivedNs)
      throws BadRequestException {
    Reading reading = new Reading(protobuf, receivedNs);
    ItemReader items =
        switch (signal) {
          case TRACES -> new SpanReader(reading);
          case LOGS -> new LogReader(reading);
          case METRICS -> new MetricReader(reading);
        };
    try {
      ProtoCursor c = new ProtoCursor(protobuf, from, protobuf.length);
      for (int tag = c.tag(); tag != 0; tag = c.tag()) {
        if (tag == RESOURCES) {
          int outer = c.enter();
          readResource(c, reading, items);
          c.leave(outer);
        } else {
          c.skip(tag);
        }
      }
    } catch (MalformedException e) {
      throw new BadRequestException(e.getMessage());
    }
    return reading.request();
  }

  private static void readResource(ProtoCursor c, Reading reading, ItemReader items)
      throws MalformedException {
    int from = c.at();
    int to = c.end();
    Resource resource = findResource(c, reading);
    c.reset(from, to);
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag == SCOPES) {
        int outer = c.enter();
        readScope(c, resource, items);
        c.leave(outer);
      } else {
        c.skip(tag);
      }
    }
  }

  /** It may stand behind what it is the resource of; of several the last counts. */
  private static Resource findResource(ProtoCursor c, Reading reading) throws MalformedException {
    int from = c.at();
    int to = from;
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag == RESOURCE) {
        int length = c.length();
        from = c.at();
        to = from + length;
        c.pass(length);
      } else {
        c.skip(tag);
      }
    }
    return new Resource(c, from, to, reading);
  }

  private static void readScope(ProtoCursor c, Resource resource, ItemReader items)
      throws MalformedException {
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag == ITEMS) {
        int outer = c.enter();
        items.read(c, resource);
        c.leave(outer);
      } else {
        c.skip(tag);
      }
    }
  }
}
