package io.rollscope.formats.chrome;

import io.rollscope.formats.json.JsonText;
import java.io.IOException;
import java.io.OutputStream;

/** The frame of a trace: events separated by commas, and what follows them. */
final class EventList {
  private static final int BLOCK = 1 << 20;

  private final JsonText json = new JsonText();
  private final OutputStream out;
  private long count;

  EventList(OutputStream out) {
    this.out = out;
    json.raw("{\"traceEvents\": [");
  }

  /** To be called before each event. */
  JsonText next() throws IOException {
    if (json.length() >= BLOCK) {
      json.drainTo(out);
    }
    return json.raw(count++ == 0 ? "\n" : ",\n");
  }

  long count() {
    return count;
  }

  /** Ends the list; further keys may be written before {@link #finish}. */
  JsonText end(String displayTimeUnit) {
    return json.raw("\n], \"displayTimeUnit\": ").string(displayTimeUnit);
  }

  void finish() throws IOException {
    json.raw("}\n").drainTo(out);
  }
}
