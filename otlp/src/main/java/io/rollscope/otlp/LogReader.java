package io.rollscope.otlp;

import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.session.LateFacts;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.SpanStack;
import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.Said;
import io.rollscope.otlp.record.Sign;
import io.rollscope.otlp.record.SpanRecord;
import io.rollscope.otlp.record.StackRecord;
import io.rollscope.otlp.record.Verdict;
import io.rollscope.otlp.wire.KeyValue;
import io.rollscope.otlp.wire.MalformedException;
import io.rollscope.otlp.wire.ProtoCursor;
import io.rollscope.otlp.wire.ProtoWriter;

/**
 * Reads {@code LogRecord} messages: starts, verdicts, signs of life and stacks (contracts.md 3.4 to
 * 3.6, 3.20).
 */
final class LogReader implements ItemReader {
  static final String START = "rollscope.span.start";
  static final String VERDICT = "rollscope.session.final";
  static final String BEAT = "rollscope.beat";
  static final String PROCESS_END = "rollscope.process.end";
  static final String STACK = "rollscope.stack";

  private static final int TIME = ProtoCursor.tagOf(1, ProtoCursor.FIXED64);
  private static final int OBSERVED_TIME = ProtoCursor.tagOf(11, ProtoCursor.FIXED64);
  private static final int ATTRIBUTE = ProtoCursor.tagOf(6, ProtoCursor.BYTES);
  private static final int TRACE_ID = ProtoCursor.tagOf(9, ProtoCursor.BYTES);
  private static final int SPAN_ID = ProtoCursor.tagOf(10, ProtoCursor.BYTES);
  private static final int EVENT_NAME = ProtoCursor.tagOf(12, ProtoCursor.BYTES);

  private final Reading reading;
  private final byte[] bytes;
  private final KnownAttributes known;

  private long time;
  private long observed;
  private int traceAt;
  private int traceLength;
  private int spanAt;
  private int spanLength;
  private String event;

  LogReader(Reading reading) {
    this.reading = reading;
    this.bytes = reading.bytes;
    this.known = reading.known;
  }

  @Override
  public void read(ProtoCursor c, Resource resource) throws MalformedException {
    int from = c.at();
    readFields(c);
    if (event.isEmpty()) {
      String attribute = known.text(Key.EVENT_NAME);
      event = attribute == null ? "" : attribute;
    }
    Refusal wrong =
        switch (event) {
          case START -> readStart(c, from, resource);
          case VERDICT -> readVerdict(resource);
          case BEAT -> readSign(resource, false);
          case PROCESS_END -> readSign(resource, true);
          case STACK -> readStack(resource);
          default -> Refusal.OTHER_LOG;
        };
    if (wrong != null) {
      reading.refuse(wrong);
    }
  }

  private void readFields(ProtoCursor c) throws MalformedException {
    known.clear();
    time = 0;
    observed = 0;
    traceLength = 0;
    spanLength = 0;
    event = "";
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag == ATTRIBUTE) {
        known.read(c);
      } else if (tag == TIME) {
        time = c.fixed64();
      } else if (tag == OBSERVED_TIME) {
        observed = c.fixed64();
      } else if (tag == TRACE_ID) {
        traceLength = c.length();
        traceAt = c.at();
        c.pass(traceLength);
      } else if (tag == SPAN_ID) {
        spanLength = c.length();
        spanAt = c.at();
        c.pass(spanLength);
      } else if (tag == EVENT_NAME) {
        int length = c.length();
        event = reading.strings.get(c.at(), c.at() + length);
        c.pass(length);
      } else {
        c.skip(tag);
      }
    }
  }

  private Refusal readStart(ProtoCursor c, int from, Resource resource) throws MalformedException {
    String name = known.name(Key.SPAN_NAME);
    Long parent = parent();
    if (parent == null) {
      return Refusal.PARENT_ID;
    }
    Refusal wrong = refusal(time);
    if (wrong != null) {
      return wrong;
    }
    Identity identity = new Identity(known, resource);
    Kind kind = identity.kind();
    Said said = reading.shared(identity.said(kind, reading.steps));
    if (!reading.isAskable(said.run(), resource, said.session())) {
      return Refusal.ODD_ID;
    }
    reading.spans.add(
        new SpanRecord(
            Ids.at(bytes, traceAt),
            Ids.at(bytes, traceAt + 8),
            Ids.at(bytes, spanAt),
            parent,
            name == null || name.isEmpty() ? SpanReader.NO_NAME : name,
            kind,
            time,
            Nanos.OPEN,
            Outcome.OPEN,
            null,
            null,
            said,
            resource.origin(),
            spanAttributes(c, from),
            known.rewardAndTokens(),
            known.queuedNs()));
    return null;
  }

  /** 0 for a root, null for something that is no id. */
  private Long parent() {
    String text = known.text(Key.SPAN_PARENT);
    return text == null || text.isEmpty() ? Long.valueOf(0) : Ids.fromHex(text);
  }

  /** Those of the record without the ones that make it a record; apart, as open spans stay long. */
  private Attributes spanAttributes(ProtoCursor c, int from) throws MalformedException {
    ProtoWriter out = new ProtoWriter(c.end() - from);
    KeyValue entry = new KeyValue();
    boolean named = START.equals(known.text(Key.EVENT_NAME));
    c.reset(from, c.end());
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag != ATTRIBUTE) {
        c.skip(tag);
        continue;
      }
      int outer = c.enter();
      int begin = c.at();
      entry.read(c);
      Key key = KeyTable.find(bytes, entry.keyFrom(), entry.keyTo());
      boolean mark =
          key == Key.SPAN_NAME || key == Key.SPAN_PARENT || (named && key == Key.EVENT_NAME);
      if (!mark) {
        out.bytes(SpanReader.ATTRIBUTES, bytes, begin, c.end());
      }
      c.leave(outer);
    }
    byte[] own = out.toBytes();
    return own.length == 0
        ? Attributes.NONE
        : reading.reduced(new Attributes(own, 0, own.length, SpanReader.ATTRIBUTES));
  }

  private Refusal readVerdict(Resource resource) {
    long when = time != 0 ? time : observed;
    Refusal wrong = refusal(when);
    if (wrong != null) {
      return wrong;
    }
    Identity identity = new Identity(known, resource);
    Said said = identity.said(identity.kind(), reading.steps);
    RewardAndTokens got = known.rewardAndTokens();
    if (said.status() == null && got.isNone()) {
      return Refusal.NO_STATUS;
    }
    if (!reading.isAskable(said.run(), resource, said.session())) {
      return Refusal.ODD_ID;
    }
    reading.verdicts.add(
        new Verdict(
            Ids.at(bytes, traceAt),
            Ids.at(bytes, traceAt + 8),
            Ids.at(bytes, spanAt),
            when,
            said.status(),
            said.reason(),
            reading.shared(said),
            resource.origin(),
            LateFacts.at(when, got)));
    return null;
  }

  private Refusal readSign(Resource resource, boolean end) {
    if (resource.origin().instance() == null) {
      return Refusal.NO_INSTANCE;
    }
    long when = time != 0 ? time : observed;
    Refusal wrong = refusalOfTime(when);
    if (wrong != null) {
      return wrong;
    }
    String run = new Identity(known, resource).run();
    if (!reading.isAskable(run, resource, null)) {
      return Refusal.ODD_ID;
    }
    reading.signs.add(
        new Sign(
            resource.origin(),
            run,
            end,
            when,
            count(Key.OPEN_SPANS, -1),
            count(Key.DROPPED_SPANS, 0),
            count(Key.DROPPED_STARTS, 0),
            count(Key.DROPPED_METRICS, 0),
            count(Key.CUT_ATTRIBUTES, 0),
            count(Key.DELETED_SPANS, 0)));
    return null;
  }

  private Refusal readStack(Resource resource) {
    long when = time != 0 ? time : observed;
    Refusal wrong = refusal(when);
    if (wrong != null) {
      return wrong;
    }
    String frames = known.text(Key.STACK_FRAMES);
    if (frames == null || !SpanStack.isWithinLimits(frames)) {
      return Refusal.STACK;
    }
    ProtoWriter out = new ProtoWriter(frames.length() + 64);
    AttributeWriter.write(out, SpanReader.ATTRIBUTES, SpanStack.FRAMES, frames);
    AttributeWriter.write(out, SpanReader.ATTRIBUTES, SpanStack.AT, Long.toString(when));
    byte[] added = out.toBytes();
    reading.stacks.add(
        new StackRecord(
            Ids.at(bytes, traceAt),
            Ids.at(bytes, traceAt + 8),
            Ids.at(bytes, spanAt),
            when,
            new Attributes(added, 0, added.length, SpanReader.ATTRIBUTES),
            resource.origin()));
    return null;
  }

  private long count(Key key, long unknown) {
    Long value = known.integer(key);
    return value == null || value < 0 ? unknown : value;
  }

  private Refusal refusal(long when) {
    if (traceLength != 16 || (Ids.at(bytes, traceAt) | Ids.at(bytes, traceAt + 8)) == 0) {
      return Refusal.TRACE_ID;
    }
    if (spanLength != 8 || Ids.at(bytes, spanAt) == 0) {
      return Refusal.SPAN_ID;
    }
    return refusalOfTime(when);
  }

  private Refusal refusalOfTime(long when) {
    if (reading.isFull()) {
      return Refusal.TOO_MANY;
    }
    if (when == 0) {
      return Refusal.NO_TIME;
    }
    if (reading.isTooLate(when)) {
      return Refusal.FUTURE;
    }
    reading.countCut(known.tooLong());
    return null;
  }
}
