package io.rollscope.benchmarks.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.List;

/** OTLP/JSON: ids in hex, 64-bit numbers as decimal text. */
final class JsonFormat implements SpanFormat {
  private static final String TIME = "1000000000000000000";

  @Override
  public String path() {
    return "/v1/traces";
  }

  @Override
  public String contentType() {
    return "application/json";
  }

  @Override
  public Draft encode(String run, List<SpanDraft> spans) {
    Draft draft = new Draft(spans.size());
    StringBuilder out = new StringBuilder(1_000 * spans.size());
    out.append("{\"resourceSpans\":[{\"resource\":{\"attributes\":[");
    RunResource.describe(run, (key, value) -> attribute(out, key, "stringValue", quoted(value)));
    out.append("]},\"scopeSpans\":[{\"spans\":[");
    for (int i = 0; i < spans.size(); i++) {
      out.append(i == 0 ? "" : ",");
      encode(spans.get(i), i, out, draft);
    }
    out.append("]}]}]}");
    draft.bytes(out.toString().getBytes(US_ASCII));
    return draft;
  }

  private static void encode(SpanDraft span, int index, StringBuilder out, Draft draft) {
    out.append("{\"traceId\":\"");
    changing(Slot.TRACE, "0".repeat(32), index, out, draft);
    out.append("\",\"spanId\":\"");
    changing(Slot.SPAN, "0".repeat(16), index, out, draft);
    if (span.span().parent() != null) {
      out.append("\",\"parentSpanId\":\"");
      changing(Slot.PARENT, "0".repeat(16), index, out, draft);
    }
    out.append("\",\"name\":\"").append(span.span().text());
    out.append("\",\"kind\":1,\"startTimeUnixNano\":\"");
    changing(Slot.START, TIME, index, out, draft);
    out.append("\",\"endTimeUnixNano\":\"");
    changing(Slot.END, TIME, index, out, draft);
    out.append("\",\"attributes\":[");
    span.describe(new Writer(out, draft, index));
    out.append(']');
    if (span.failed()) {
      out.append(",\"status\":{\"code\":2,\"message\":\"no answer within 30 s\"}");
    }
    out.append('}');
  }

  private static void changing(Slot slot, String text, int index, StringBuilder out, Draft draft) {
    draft.mark(index, slot, out.length());
    out.append(text);
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }

  /** Returns where the value begins. */
  private static int attribute(StringBuilder out, String key, String type, String value) {
    out.append(out.charAt(out.length() - 1) == '[' ? "" : ",");
    out.append("{\"key\":\"").append(key).append("\",\"value\":{\"").append(type).append("\":");
    int at = out.length();
    out.append(value).append("}}");
    return at;
  }

  private record Writer(StringBuilder out, Draft draft, int index) implements SpanDraft.Attributes {
    @Override
    public void text(String key, String value) {
      attribute(out, key, "stringValue", quoted(value));
    }

    @Override
    public void number(String key, long value) {
      attribute(out, key, "intValue", quoted(Long.toString(value)));
    }

    @Override
    public void changing(String key, Slot slot) {
      String text = ChangingText.of(slot);
      int at =
          switch (slot) {
            case FIRST_TOKEN -> attribute(out, key, "doubleValue", text);
            case REQUEST -> attribute(out, key, "stringValue", quoted(text)) + 1;
            default -> attribute(out, key, "intValue", quoted(text)) + 1;
          };
      draft.mark(index, slot, at);
    }
  }

  @Override
  public void fill(ByteBuffer body, int[] slots, int first, SpanValues values) {
    int trace = slots[first + Slot.TRACE.ordinal()];
    Patch.hex(body, trace, values.traceHigh);
    Patch.hex(body, trace + 16, values.traceLow);
    Patch.hex(body, slots[first + Slot.SPAN.ordinal()], values.spanId);
    if (values.parentId != 0) {
      Patch.hex(body, slots[first + Slot.PARENT.ordinal()], values.parentId);
    }
    Patch.decimal(body, slots[first + Slot.START.ordinal()], TIME.length(), values.startNs);
    Patch.decimal(body, slots[first + Slot.END.ordinal()], TIME.length(), values.endNs);
    ChangingText.fill(body, slots, first, values);
  }
}
