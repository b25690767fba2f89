package io.rollscope.otlp;

import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.Said;
import io.rollscope.otlp.record.SpanRecord;
import io.rollscope.otlp.wire.KeyValue;
import io.rollscope.otlp.wire.MalformedException;
import io.rollscope.otlp.wire.ProtoCursor;

/** Reads {@code Span} messages. */
final class SpanReader implements ItemReader {
  /** What a span is called that has no name, as OpenTelemetry's specification has it. */
  static final String NO_NAME = "unknown";

  /** Number of the attributes' field. */
  static final int ATTRIBUTES = 9;

  private static final int TRACE_ID = ProtoCursor.tagOf(1, ProtoCursor.BYTES);
  private static final int SPAN_ID = ProtoCursor.tagOf(2, ProtoCursor.BYTES);
  private static final int PARENT_ID = ProtoCursor.tagOf(4, ProtoCursor.BYTES);
  private static final int NAME = ProtoCursor.tagOf(5, ProtoCursor.BYTES);
  private static final int START = ProtoCursor.tagOf(7, ProtoCursor.FIXED64);
  private static final int END = ProtoCursor.tagOf(8, ProtoCursor.FIXED64);
  private static final int ATTRIBUTE = ProtoCursor.tagOf(ATTRIBUTES, ProtoCursor.BYTES);
  private static final int DROPPED_ATTRIBUTES = ProtoCursor.tagOf(10, ProtoCursor.VARINT);
  private static final int EVENT = ProtoCursor.tagOf(11, ProtoCursor.BYTES);
  private static final int DROPPED_EVENTS = ProtoCursor.tagOf(12, ProtoCursor.VARINT);
  private static final int LINK = ProtoCursor.tagOf(13, ProtoCursor.BYTES);
  private static final int DROPPED_LINKS = ProtoCursor.tagOf(14, ProtoCursor.VARINT);
  private static final int EVENT_ATTRIBUTE = ProtoCursor.tagOf(3, ProtoCursor.BYTES);
  private static final int LINK_ATTRIBUTE = ProtoCursor.tagOf(4, ProtoCursor.BYTES);
  private static final int STATUS = ProtoCursor.tagOf(15, ProtoCursor.BYTES);
  private static final int STATUS_MESSAGE = ProtoCursor.tagOf(2, ProtoCursor.BYTES);
  private static final int STATUS_CODE = ProtoCursor.tagOf(3, ProtoCursor.VARINT);
  private static final long STATUS_ERROR = 2;

  private final Reading reading;
  private final byte[] bytes;
  private final KnownAttributes known;
  private final ExceptionEvents exceptions;
  private Identity identity;
  private Resource identityOf;

  private int traceAt;
  private int traceLength;
  private int spanAt;
  private int spanLength;
  private int parentAt;
  private int parentLength;
  private int nameAt;
  private int nameLength;
  private long start;
  private long end;
  private int attributesFrom;
  private int attributesTo;
  private long statusCode;
  private int messageAt;
  private int messageLength;
  private boolean hasEvents;
  private boolean hasEventsOrLinks;
  private final KeyValue entry = new KeyValue();

  SpanReader(Reading reading) {
    this.reading = reading;
    this.bytes = reading.bytes;
    this.known = reading.known;
    this.exceptions = new ExceptionEvents(reading);
  }

  @Override
  public void read(ProtoCursor c, Resource resource) throws MalformedException {
    int from = c.at();
    readFields(c);
    Refusal wrong = refusal();
    if (wrong != null) {
      reading.refuse(wrong);
      return;
    }
    if (identityOf != resource) {
      identity = new Identity(known, resource);
      identityOf = resource;
    }
    Kind kind = identity.kind();
    Said said = reading.shared(identity.said(kind, reading.steps));
    if (!reading.isAskable(said.run(), resource, said.session())) {
      reading.refuse(Refusal.ODD_ID);
      return;
    }
    Failure failure = end != 0 && hasFailed() ? failure(c, from, said) : null;
    if (end != 0 && end < start) {
      reading.countRepaired();
    }
    reading.spans.add(
        new SpanRecord(
            Ids.at(bytes, traceAt),
            Ids.at(bytes, traceAt + 8),
            Ids.at(bytes, spanAt),
            parentLength == 0 ? 0 : Ids.at(bytes, parentAt),
            name(),
            kind,
            start,
            end == 0 ? Nanos.OPEN : Math.max(start, end),
            outcome(failure),
            failure == null ? null : failure.type(),
            failure == null ? null : failure.message(),
            said,
            resource.origin(),
            attributesFrom == attributesTo
                ? Attributes.NONE
                : reading.reduced(
                    new Attributes(
                        bytes, attributesFrom, attributesTo, ATTRIBUTES, hasEventsOrLinks)),
            known.rewardAndTokens(),
            known.queuedNs()));
  }

  private void readFields(ProtoCursor c) throws MalformedException {
    known.clear();
    traceLength = 0;
    spanLength = 0;
    parentLength = 0;
    nameLength = 0;
    start = 0;
    end = 0;
    attributesFrom = 0;
    attributesTo = 0;
    statusCode = 0;
    messageLength = 0;
    hasEvents = false;
    hasEventsOrLinks = false;
    int before = c.at();
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag == ATTRIBUTE) {
        known.read(c);
        attributesFrom = attributesTo == 0 ? before : attributesFrom;
        attributesTo = c.at();
      } else {
        readField(c, tag, before);
      }
      before = c.at();
    }
  }

  private void readField(ProtoCursor c, int tag, int before) throws MalformedException {
    if (tag == TRACE_ID) {
      traceLength = c.length();
      traceAt = c.at();
      c.pass(traceLength);
    } else if (tag == SPAN_ID) {
      spanLength = c.length();
      spanAt = c.at();
      c.pass(spanLength);
    } else if (tag == PARENT_ID) {
      parentLength = c.length();
      parentAt = c.at();
      c.pass(parentLength);
    } else if (tag == NAME) {
      nameLength = c.length();
      nameAt = c.at();
      c.pass(nameLength);
    } else if (tag == START) {
      start = c.fixed64();
    } else if (tag == END) {
      end = c.fixed64();
    } else if (tag == STATUS) {
      int outer = c.enter();
      readStatus(c);
      c.leave(outer);
    } else if (tag == DROPPED_ATTRIBUTES) {
      c.skip(tag);
      attributesFrom = attributesTo == 0 ? before : attributesFrom;
      attributesTo = c.at();
    } else if (tag == EVENT || tag == LINK || tag == DROPPED_EVENTS || tag == DROPPED_LINKS) {
      hasEvents |= tag == EVENT;
      hasEventsOrLinks = true;
      checkEventOrLink(c, tag);
      attributesFrom = attributesTo == 0 ? before : attributesFrom;
      attributesTo = c.at();
    } else {
      c.skip(tag);
    }
  }

  /** It is read when a segment is written, and must not fail then. */
  private void checkEventOrLink(ProtoCursor c, int tag) throws MalformedException {
    if (tag != EVENT && tag != LINK) {
      c.skip(tag);
      return;
    }
    int outer = c.enter();
    int attribute = tag == EVENT ? EVENT_ATTRIBUTE : LINK_ATTRIBUTE;
    for (int inner = c.tag(); inner != 0; inner = c.tag()) {
      if (inner == attribute) {
        entry.readNext(c);
      } else {
        c.skip(inner);
      }
    }
    c.leave(outer);
  }

  private void readStatus(ProtoCursor c) throws MalformedException {
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag == STATUS_MESSAGE) {
        messageLength = c.length();
        messageAt = c.at();
        c.pass(messageLength);
      } else if (tag == STATUS_CODE) {
        statusCode = c.varint();
      } else {
        c.skip(tag);
      }
    }
  }

  private Refusal refusal() {
    if (reading.isFull()) {
      return Refusal.TOO_MANY;
    }
    if (traceLength != 16 || (Ids.at(bytes, traceAt) | Ids.at(bytes, traceAt + 8)) == 0) {
      return Refusal.TRACE_ID;
    }
    if (spanLength != 8 || Ids.at(bytes, spanAt) == 0) {
      return Refusal.SPAN_ID;
    }
    if (parentLength != 0 && parentLength != 8) {
      return Refusal.PARENT_ID;
    }
    if (start == 0) {
      return Refusal.NO_TIME;
    }
    if (reading.isTooLate(start) || reading.isTooLate(end)) {
      return Refusal.FUTURE;
    }
    reading.countCut(known.tooLong() + (nameLength > LongNames.MAX_BYTES ? 1 : 0));
    return null;
  }

  private String name() {
    int to = nameAt + nameLength;
    if (nameLength > LongNames.MAX_BYTES) {
      return LongNames.cutName(bytes, nameAt, to);
    }
    return nameLength == 0 ? NO_NAME : reading.strings.get(nameAt, to);
  }

  private boolean hasFailed() {
    return statusCode == STATUS_ERROR || "true".equals(known.text(Key.ERROR));
  }

  private Outcome outcome(Failure failure) {
    if (end == 0) {
      return Outcome.OPEN;
    }
    return failure == null ? Outcome.OK : failure.outcome();
  }

  private Failure failure(ProtoCursor c, int from, Said said) throws MalformedException {
    String type = known.text(Key.ERROR_TYPE);
    String message = known.text(Key.ERROR_MESSAGE);
    if (hasEvents && (type == null || message == null)) {
      exceptions.read(c, from);
      type = type != null ? type : exceptions.type();
      message = message != null ? message : exceptions.message();
    }
    if (message == null && messageLength > 0) {
      message = reading.strings.get(messageAt, messageAt + messageLength);
    }
    return new Failure(type, message, said.status());
  }
}
