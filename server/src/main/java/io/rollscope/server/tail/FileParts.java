package io.rollscope.server.tail;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.rollscope.formats.folder.TraceFile;
import io.rollscope.otlp.Signal;
import io.rollscope.store.Incoming;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Collects the spans that lines of one file made known into requests of a sensible size. */
final class FileParts {
  private static final int MAX_BYTES = 1 << 20;
  private static final int MAX_SPANS = 5_000;
  private static final int SPAN_OVERHEAD = 6;

  private final TraceFile file;
  private ScopeSpans.Builder wall = ScopeSpans.newBuilder();
  private ScopeSpans.Builder relative = ScopeSpans.newBuilder();
  private int bytes;
  private int spans;

  FileParts(TraceFile file) {
    this.file = file;
  }

  void add(boolean relativeClock, Span span) {
    (relativeClock ? relative : wall).addSpans(span);
    bytes += span.getSerializedSize() + SPAN_OVERHEAD;
    spans++;
  }

  /** Bytes collected, about. */
  int bytes() {
    return bytes;
  }

  boolean isEmpty() {
    return spans == 0;
  }

  boolean hasRoomFor(Span span) {
    return spans < MAX_SPANS && bytes + span.getSerializedSize() <= MAX_BYTES;
  }

  /** What was collected, as a part; collecting begins anew. */
  Part take(long endOffset) {
    ExportTraceServiceRequest.Builder request = ExportTraceServiceRequest.newBuilder();
    add(request, wall, false);
    add(request, relative, true);
    Part part = new Part(file, endOffset, Signal.TRACES, withHead(request.build()), spans);
    wall = ScopeSpans.newBuilder();
    relative = ScopeSpans.newBuilder();
    bytes = 0;
    spans = 0;
    return part;
  }

  private void add(
      ExportTraceServiceRequest.Builder request, ScopeSpans.Builder scope, boolean relativeClock) {
    if (scope.getSpansCount() > 0) {
      request.addResourceSpans(
          ResourceSpans.newBuilder()
              .setResource(Resources.of(file, relativeClock))
              .addScopeSpans(scope));
    }
  }

  /** A message behind the room that the store wants. */
  static byte[] withHead(MessageLite message) {
    int size = message.getSerializedSize();
    byte[] bytes = new byte[Incoming.HEAD + size];
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes, Incoming.HEAD, size);
      message.writeTo(out);
      out.checkNoSpaceLeft();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return bytes;
  }
}
