package io.rollscope.benchmarks.load;

import io.rollscope.otlp.wire.ProtoWriter;
import java.nio.ByteBuffer;
import java.util.List;

/** OTLP as protobuf: {@code ExportTraceServiceRequest}. */
final class OtlpFormat implements SpanFormat {
  private static final int SPAN_ATTRIBUTES = 9;

  @Override
  public String path() {
    return "/v1/traces";
  }

  @Override
  public String contentType() {
    return "application/x-protobuf";
  }

  @Override
  public Draft encode(String run, List<SpanDraft> spans) {
    Draft draft = new Draft(spans.size());
    ProtoWriter scope = new ProtoWriter(500 * spans.size());
    for (int i = 0; i < spans.size(); i++) {
      Draft one = encode(spans.get(i));
      scope.bytes(2, one.bytes(), 0, one.bytes().length);
      draft.mark(i, one, scope.length() - one.bytes().length);
    }
    ProtoWriter resourceSpans = new ProtoWriter(scope.length() + 1_000);
    int resource = resourceSpans.begin(1);
    RunResource.describe(run, (key, value) -> text(resourceSpans, 1, key, value));
    resourceSpans.end(resource);
    resourceSpans.bytes(2, scope.toBytes(), 0, scope.length());
    ProtoWriter request = new ProtoWriter(resourceSpans.length() + 10);
    request.bytes(1, resourceSpans.toBytes(), 0, resourceSpans.length());
    return draft.moved(request.length() - scope.length(), request.toBytes());
  }

  private static Draft encode(SpanDraft span) {
    Draft draft = new Draft(1);
    ProtoWriter out = new ProtoWriter(1_000);
    out.id(1, 0, 0);
    draft.mark(0, Slot.TRACE, out.length() - 16);
    out.id(2, 0);
    draft.mark(0, Slot.SPAN, out.length() - 8);
    if (span.span().parent() != null) {
      out.id(4, 0);
      draft.mark(0, Slot.PARENT, out.length() - 8);
    }
    out.string(5, span.span().text());
    out.varint(6, 1);
    out.fixed64(7, 0);
    draft.mark(0, Slot.START, out.length() - 8);
    out.fixed64(8, 0);
    draft.mark(0, Slot.END, out.length() - 8);
    span.describe(new Writer(out, draft));
    if (span.failed()) {
      int event = out.begin(11);
      out.string(2, "exception");
      text(out, 3, "exception.type", "TimeoutError");
      text(out, 3, "exception.message", "no answer within 30 s");
      out.end(event);
      int status = out.begin(15);
      out.varint(3, 2);
      out.end(status);
    }
    draft.bytes(out.toBytes());
    return draft;
  }

  private static void text(ProtoWriter out, int field, String key, String value) {
    int attribute = out.begin(field);
    out.string(1, key);
    int any = out.begin(2);
    out.string(1, value);
    out.end(any);
    out.end(attribute);
  }

  /** Every attribute is shorter than 128 bytes: the writer then never moves what is marked. */
  private record Writer(ProtoWriter out, Draft draft) implements SpanDraft.Attributes {
    @Override
    public void text(String key, String value) {
      OtlpFormat.text(out, SPAN_ATTRIBUTES, key, value);
    }

    @Override
    public void number(String key, long value) {
      int attribute = out.begin(SPAN_ATTRIBUTES);
      out.string(1, key);
      int any = out.begin(2);
      out.varint(3, value);
      out.end(any);
      out.end(attribute);
    }

    @Override
    public void changing(String key, Slot slot) {
      int width =
          switch (slot) {
            case FIRST_TOKEN -> {
              float64(key);
              yield 8;
            }
            case REQUEST -> {
              text(key, "0".repeat(32));
              yield 32;
            }
            default -> {
              number(key, SpanValues.FOUR_DIGITS);
              yield 2;
            }
          };
      draft.mark(0, slot, out.length() - width);
    }

    private void float64(String key) {
      int attribute = out.begin(SPAN_ATTRIBUTES);
      out.string(1, key);
      int any = out.begin(2);
      out.float64(4, 1);
      out.end(any);
      out.end(attribute);
    }
  }

  @Override
  public void fill(ByteBuffer body, int[] slots, int first, SpanValues values) {
    Patch.bytes(body, slots[first + Slot.TRACE.ordinal()], values.traceHigh, values.traceLow);
    body.putLong(slots[first + Slot.SPAN.ordinal()], values.spanId);
    if (values.parentId != 0) {
      body.putLong(slots[first + Slot.PARENT.ordinal()], values.parentId);
    }
    Patch.fixed64(body, slots[first + Slot.START.ordinal()], values.startNs);
    Patch.fixed64(body, slots[first + Slot.END.ordinal()], values.endNs);
    Patch.varint2(body, slots[first + Slot.STEP.ordinal()], values.step);
    Patch.varint2(body, slots[first + Slot.INPUT_TOKENS.ordinal()], values.inputTokens);
    Patch.varint2(body, slots[first + Slot.OUTPUT_TOKENS.ordinal()], values.outputTokens);
    Patch.fixed64(
        body,
        slots[first + Slot.FIRST_TOKEN.ordinal()],
        Double.doubleToRawLongBits(values.firstToken / 1e6));
    int request = slots[first + Slot.REQUEST.ordinal()];
    Patch.hex(body, request, values.requestHigh);
    Patch.hex(body, request + 16, values.requestLow);
  }
}
