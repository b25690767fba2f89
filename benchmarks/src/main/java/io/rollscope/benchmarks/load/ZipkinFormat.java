package io.rollscope.benchmarks.load;

import io.rollscope.otlp.wire.ProtoWriter;
import java.nio.ByteBuffer;
import java.util.List;

/** Zipkin's protobuf list of spans; attributes are tags, and the resource is only its service. */
final class ZipkinFormat implements SpanFormat {
  @Override
  public String path() {
    return "/api/v2/spans";
  }

  @Override
  public String contentType() {
    return "application/x-protobuf";
  }

  @Override
  public Draft encode(String run, List<SpanDraft> spans) {
    Draft draft = new Draft(spans.size());
    ProtoWriter list = new ProtoWriter(600 * spans.size());
    for (int i = 0; i < spans.size(); i++) {
      Draft one = encode(spans.get(i));
      list.bytes(1, one.bytes(), 0, one.bytes().length);
      draft.mark(i, one, list.length() - one.bytes().length);
    }
    draft.bytes(list.toBytes());
    return draft;
  }

  private static Draft encode(SpanDraft span) {
    Draft draft = new Draft(1);
    ProtoWriter out = new ProtoWriter(1_000);
    out.id(1, 0, 0);
    draft.mark(0, Slot.TRACE, out.length() - 16);
    if (span.span().parent() != null) {
      out.id(2, 0);
      draft.mark(0, Slot.PARENT, out.length() - 8);
    }
    out.id(3, 0);
    draft.mark(0, Slot.SPAN, out.length() - 8);
    out.string(5, span.span().text());
    out.fixed64(6, 0);
    draft.mark(0, Slot.START, out.length() - 8);
    out.varint(7, 1 << 21);
    draft.mark(0, Slot.END, out.length() - 4);
    int endpoint = out.begin(8);
    out.string(1, RunResource.SERVICE);
    out.end(endpoint);
    span.describe(new Writer(out, draft));
    if (span.failed()) {
      tag(out, "error", "no answer within 30 s");
    }
    draft.bytes(out.toBytes());
    return draft;
  }

  private static void tag(ProtoWriter out, String key, String value) {
    int tag = out.begin(11);
    out.string(1, key);
    out.string(2, value);
    out.end(tag);
  }

  private record Writer(ProtoWriter out, Draft draft) implements SpanDraft.Attributes {
    @Override
    public void text(String key, String value) {
      tag(out, key, value);
    }

    @Override
    public void number(String key, long value) {
      tag(out, key, Long.toString(value));
    }

    @Override
    public void changing(String key, Slot slot) {
      String text = ChangingText.of(slot);
      tag(out, key, text);
      draft.mark(0, slot, out.length() - text.length());
    }
  }

  @Override
  public void fill(ByteBuffer body, int[] slots, int first, SpanValues values) {
    Patch.bytes(body, slots[first + Slot.TRACE.ordinal()], values.traceHigh, values.traceLow);
    body.putLong(slots[first + Slot.SPAN.ordinal()], values.spanId);
    if (values.parentId != 0) {
      body.putLong(slots[first + Slot.PARENT.ordinal()], values.parentId);
    }
    long startUs = values.startNs / 1_000;
    Patch.fixed64(body, slots[first + Slot.START.ordinal()], startUs);
    int durationUs = (int) (values.endNs / 1_000 - startUs);
    Patch.varint4(body, slots[first + Slot.END.ordinal()], durationUs);
    ChangingText.fill(body, slots, first, values);
  }
}
