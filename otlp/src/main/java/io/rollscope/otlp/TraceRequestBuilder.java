package io.rollscope.otlp;

import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.wire.ProtoWriter;

/**
 * Makes an export request of spans from scratch: a resource, its attributes, a span, its
 * attributes, the next span, and so on. Attributes belong to what was begun last; a null value is
 * left out.
 */
public final class TraceRequestBuilder {
  private static final int RESOURCE_SPANS = 1;
  private static final int RESOURCE = 1;
  private static final int RESOURCE_ATTRIBUTES = 1;
  private static final int SCOPE_SPANS = 2;
  private static final int SPANS = 2;
  private static final int TRACE_ID = 1;
  private static final int SPAN_ID = 2;
  private static final int PARENT_ID = 4;
  private static final int NAME = 5;
  private static final int START = 7;
  private static final int END = 8;
  private static final int EVENTS = 11;
  private static final int STATUS = 15;
  private static final int EVENT_TIME = 1;
  private static final int EVENT_NAME = 2;
  private static final int EVENT_ATTRIBUTES = 3;
  private static final int STATUS_MESSAGE = 2;
  private static final int STATUS_CODE = 3;
  private static final int STATUS_ERROR = 2;
  private static final int NONE = -1;

  private final ProtoWriter out = new ProtoWriter(4_096);
  private int resourceSpans = NONE;
  private int resource = NONE;
  private int scopeSpans = NONE;
  private int span = NONE;
  private int spans;

  /** Begins a resource; the spans that follow are its. */
  public TraceRequestBuilder resource() {
    endResource();
    resourceSpans = out.begin(RESOURCE_SPANS);
    resource = out.begin(RESOURCE);
    return this;
  }

  /**
   * Begins a span.
   *
   * @param parentId 0 for a root
   * @param endNs {@link Nanos#OPEN} if it has not ended
   */
  public TraceRequestBuilder span(
      long traceHigh,
      long traceLow,
      long spanId,
      long parentId,
      String name,
      long startNs,
      long endNs) {
    if (resourceSpans == NONE) {
      resource();
    }
    if (resource != NONE) {
      out.end(resource);
      resource = NONE;
      scopeSpans = out.begin(SCOPE_SPANS);
    }
    endSpan();
    span = out.begin(SPANS);
    spans++;
    out.id(TRACE_ID, traceHigh, traceLow);
    out.id(SPAN_ID, spanId);
    if (parentId != 0) {
      out.id(PARENT_ID, parentId);
    }
    out.string(NAME, name);
    out.fixed64(START, startNs);
    if (endNs != Nanos.OPEN) {
      out.fixed64(END, endNs);
    }
    return this;
  }

  public TraceRequestBuilder attribute(String key, String value) {
    AttributeWriter.write(out, attributeField(), key, value);
    return this;
  }

  public TraceRequestBuilder attribute(String key, Long value) {
    AttributeWriter.write(out, attributeField(), key, value);
    return this;
  }

  public TraceRequestBuilder attribute(String key, long value) {
    return attribute(key, Long.valueOf(value));
  }

  public TraceRequestBuilder attribute(String key, double value) {
    AttributeWriter.write(out, attributeField(), key, value);
    return this;
  }

  public TraceRequestBuilder attribute(String key, boolean value) {
    AttributeWriter.write(out, attributeField(), key, value);
    return this;
  }

  /** Adds attributes that came with another request; to a span also its events and links. */
  public TraceRequestBuilder attributes(Attributes attributes) {
    attributes.writeTo(out, attributeField());
    if (span != NONE) {
      attributes.writeEventsTo(out);
    }
    return this;
  }

  /** Says that the span begun last failed, and how: as an event, as SDKs do. */
  public TraceRequestBuilder failed(String type, String message, long atNs) {
    if (span == NONE) {
      throw new IllegalStateException("no span (expected: failed() after span())");
    }
    int status = out.begin(STATUS);
    out.varint(STATUS_CODE, STATUS_ERROR);
    out.end(status);
    if (type != null || message != null) {
      int event = out.begin(EVENTS);
      out.fixed64(EVENT_TIME, atNs);
      out.string(EVENT_NAME, "exception");
      AttributeWriter.write(out, EVENT_ATTRIBUTES, Key.EXCEPTION_TYPE.text(), type);
      AttributeWriter.write(out, EVENT_ATTRIBUTES, Key.EXCEPTION_MESSAGE.text(), message);
      out.end(event);
    }
    return this;
  }

  /** Says that the span begun last failed; how, its attributes and events say, else this. */
  TraceRequestBuilder failedAsTold(String message) {
    int status = out.begin(STATUS);
    if (message != null) {
      out.string(STATUS_MESSAGE, message);
    }
    out.varint(STATUS_CODE, STATUS_ERROR);
    out.end(status);
    return this;
  }

  /** Spans so far. */
  public int spans() {
    return spans;
  }

  /** Bytes so far, about. */
  public int size() {
    return out.length();
  }

  /** The request; nothing can be added afterwards. */
  public byte[] build() {
    endResource();
    return out.toBytes();
  }

  private int attributeField() {
    if (span != NONE) {
      return SpanReader.ATTRIBUTES;
    }
    if (resource == NONE) {
      throw new IllegalStateException("no resource or span (expected: one to add attributes to)");
    }
    return RESOURCE_ATTRIBUTES;
  }

  private void endSpan() {
    if (span != NONE) {
      out.end(span);
      span = NONE;
    }
  }

  private void endResource() {
    endSpan();
    if (resource != NONE) {
      out.end(resource);
      resource = NONE;
    }
    if (scopeSpans != NONE) {
      out.end(scopeSpans);
      scopeSpans = NONE;
    }
    if (resourceSpans != NONE) {
      out.end(resourceSpans);
      resourceSpans = NONE;
    }
  }
}
