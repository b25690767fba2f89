package io.rollscope.otlp;

import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.Origin;
import io.rollscope.otlp.wire.MalformedException;
import io.rollscope.otlp.wire.ProtoCursor;

/** The resource that some items of a request share. */
final class Resource implements KnownValues {
  private static final int ATTRIBUTES = 1;
  private static final Key[] KEYS = Key.values();

  /** What tells processes apart. */
  private static final Key[] PROCESS = {
    Key.SERVICE, Key.INSTANCE, Key.HOST, Key.PID, Key.WORKER_ROLE, Key.WORKER_RANK
  };

  private final String[] texts = new String[KEYS.length];
  private final Long[] integers = new Long[KEYS.length];
  private final long present;
  private final Origin origin;
  private final long series;

  /** Reads the message between two places; an empty one if there is none. */
  Resource(ProtoCursor c, int from, int to, Reading reading) throws MalformedException {
    KnownAttributes scratch = reading.known;
    scratch.clear();
    c.reset(from, to);
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag == ProtoCursor.tagOf(ATTRIBUTES, ProtoCursor.BYTES)) {
        scratch.read(c);
      } else {
        c.skip(tag);
      }
    }
    long bits = 0;
    for (Key key : KEYS) {
      texts[key.ordinal()] = scratch.text(key);
      integers[key.ordinal()] = scratch.integer(key);
      bits |= texts[key.ordinal()] == null ? 0 : key.bit();
    }
    present = bits;
    reading.countCut(scratch.tooLong());
    origin = origin(reading.reduced(new Attributes(c.bytes(), from, to, ATTRIBUTES).detached()));
    series = process();
  }

  /** The part of a series' hash that says which process it is of. */
  private long process() {
    long hash = 0;
    for (Key key : PROCESS) {
      hash = SeriesHash.mix(hash, SeriesHash.text(texts[key.ordinal()]));
    }
    return hash;
  }

  private Origin origin(Attributes attributes) {
    String service = text(Key.SERVICE);
    String fallback = text(Key.RUN_DEFAULT);
    return new Origin(
        nonEmpty(text(Key.INSTANCE), null),
        service,
        nonEmpty(text(Key.PROJECT), text(Key.INSIGHT_PROJECT)),
        text(Key.SYSTEM),
        text(Key.HOST),
        integer(Key.PID),
        text(Key.WORKER_ROLE),
        integer(Key.WORKER_RANK),
        nonEmpty(fallback, nonEmpty(service, "unknown")),
        nonEmpty(text(Key.CLOCK), "utc"),
        nonEmpty(text(Key.SOURCE), "otlp"),
        text(Key.SOURCE) != null,
        attributes.isEmpty() ? Attributes.NONE : attributes);
  }

  private static String nonEmpty(String text, String otherwise) {
    return text == null || text.isEmpty() ? otherwise : text;
  }

  Origin origin() {
    return origin;
  }

  long seriesHash() {
    return series;
  }

  /** Whether its metrics were read from a page for Prometheus, not sent. */
  boolean isScraped() {
    return text(Key.SCRAPED) != null;
  }

  @Override
  public String text(Key key) {
    return texts[key.ordinal()];
  }

  @Override
  public Long integer(Key key) {
    return integers[key.ordinal()];
  }

  @Override
  public boolean mayHave(long keys) {
    return (present & keys) != 0;
  }
}
