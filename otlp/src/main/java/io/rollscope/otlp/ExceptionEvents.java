package io.rollscope.otlp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.rollscope.otlp.wire.MalformedException;
import io.rollscope.otlp.wire.ProtoCursor;
import java.util.Arrays;

/** Looks through the events of a failed span for the last one called {@code exception}. */
final class ExceptionEvents {
  private static final int EVENT = ProtoCursor.tagOf(11, ProtoCursor.BYTES);
  private static final int NAME = ProtoCursor.tagOf(2, ProtoCursor.BYTES);
  private static final int ATTRIBUTE = ProtoCursor.tagOf(3, ProtoCursor.BYTES);
  private static final byte[] EXCEPTION = "exception".getBytes(US_ASCII);

  private final KnownAttributes known;
  private String type;
  private String message;

  ExceptionEvents(Reading reading) {
    known = new KnownAttributes(reading.strings);
  }

  String type() {
    return type;
  }

  String message() {
    return message;
  }

  /** Reads the span that begins there and that the cursor is in; leaves the cursor at its end. */
  void read(ProtoCursor c, int from) throws MalformedException {
    type = null;
    message = null;
    c.reset(from, c.end());
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag == EVENT) {
        int outer = c.enter();
        readEvent(c);
        c.leave(outer);
      } else {
        c.skip(tag);
      }
    }
  }

  private void readEvent(ProtoCursor c) throws MalformedException {
    boolean exception = false;
    known.clear();
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag == NAME) {
        int length = c.length();
        exception =
            Arrays.equals(c.bytes(), c.at(), c.at() + length, EXCEPTION, 0, EXCEPTION.length);
        c.pass(length);
      } else if (tag == ATTRIBUTE) {
        known.read(c);
      } else {
        c.skip(tag);
      }
    }
    if (exception) {
      type = known.text(Key.EXCEPTION_TYPE);
      message = known.text(Key.EXCEPTION_MESSAGE);
    }
  }
}
