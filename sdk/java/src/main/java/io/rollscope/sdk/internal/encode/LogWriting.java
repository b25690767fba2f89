package io.rollscope.sdk.internal.encode;

import io.rollscope.sdk.Deleted;
import io.rollscope.sdk.Dropped;
import io.rollscope.sdk.internal.span.AttributeList;
import io.rollscope.sdk.internal.span.Library;
import io.rollscope.sdk.internal.span.RecordedSpan;
import io.rollscope.sdk.internal.span.SpanOrigin;
import io.rollscope.sdk.internal.span.Verdict;
import io.rollscope.sdk.internal.stack.StackRecord;

/** Writes what OTLP has no message for, as log records: starts, verdicts, stacks, signs of life. */
public final class LogWriting {
  private static final int ATTRIBUTES = 6;

  private LogWriting() {}

  /** How a process fares; what was dropped and deleted since it began. */
  public record Sign(
      boolean end,
      long timeNs,
      long openSpans,
      Dropped dropped,
      long cutAttributes,
      Deleted deleted) {}

  /** That a span has begun, with the attributes it has so far. */
  public static void start(Request request, RecordedSpan span) {
    SpanOrigin origin = span.origin();
    AttributeList attributes = span.attributes();
    int size = attributes.size();
    Object[] entries = attributes.entries();
    Sink out = open(request, origin.library(), span.startNs());
    out.openList("attributes");
    AttributeWriting writing = new AttributeWriting(out, ATTRIBUTES);
    writing.one("rollscope.span.name", span.name());
    if (origin.parentId() != 0) {
      writing.one("rollscope.span.parent_id", hex(origin.parentId()));
    }
    SpanWriting.place(writing, origin, entries, size);
    writing.all(entries, size);
    out.closeList();
    close(out, origin, "rollscope.span.start");
  }

  private static String hex(long id) {
    String digits = Long.toHexString(id);
    return "0".repeat(16 - digits.length()) + digits;
  }

  /** What became of a session after its span had ended. */
  public static void verdict(Request request, Verdict verdict) {
    SpanOrigin origin = verdict.session().origin();
    Sink out = open(request, Library.OWN, verdict.timeNs());
    out.openList("attributes");
    AttributeWriting writing = new AttributeWriting(out, ATTRIBUTES);
    for (int i = 0; i < verdict.attributes().length; i += 2) {
      writing.one((String) verdict.attributes()[i], verdict.attributes()[i + 1]);
    }
    out.closeList();
    close(out, origin, "rollscope.session.final");
  }

  /** Where the work of an open span stood. */
  public static void stack(Request request, StackRecord stack) {
    Sink out = open(request, Library.OWN, stack.timeNs());
    out.openList("attributes");
    new AttributeWriting(out, ATTRIBUTES).one("rollscope.stack.frames", stack.frames());
    out.closeList();
    close(out, stack.span().origin(), "rollscope.stack");
  }

  public static void sign(Request request, Sign sign) {
    Sink out = open(request, Library.OWN, sign.timeNs());
    out.openList("attributes");
    AttributeWriting writing = new AttributeWriting(out, ATTRIBUTES);
    writing.one("rollscope.open_spans", sign.openSpans());
    writing.one("rollscope.dropped.spans", sign.dropped().spans());
    writing.one("rollscope.dropped.starts", sign.dropped().starts());
    writing.one("rollscope.dropped.metrics", sign.dropped().metrics());
    writing.one("rollscope.cut.attributes", sign.cutAttributes());
    if (sign.deleted().pieces() > 0) {
      writing.one("rollscope.deleted.pieces", sign.deleted().pieces());
      writing.one("rollscope.deleted.spans", sign.deleted().spans());
    }
    out.closeList();
    close(out, null, sign.end() ? "rollscope.process.end" : "rollscope.beat");
  }

  private static Sink open(Request request, Library library, long timeNs) {
    Sink out = request.next(library);
    out.openElement(Request.ITEMS);
    out.fixed64(1, "timeUnixNano", timeNs);
    return out;
  }

  private static void close(Sink out, SpanOrigin origin, String event) {
    if (origin != null) {
      out.id(9, "traceId", origin.traceHigh(), origin.traceLow());
      out.id(10, "spanId", origin.spanId());
    }
    out.text(12, "eventName", event);
    out.close();
  }
}
