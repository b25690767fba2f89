package io.rollscope.server.tail;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.rollscope.formats.folder.LineParser;
import io.rollscope.formats.folder.Runs;
import io.rollscope.formats.folder.TraceFile;
import io.rollscope.formats.folder.TraceFormat;
import io.rollscope.formats.otlp.OtlpFormat;
import io.rollscope.formats.scan.BadLineException;
import io.rollscope.formats.scan.JsonScanner;
import io.rollscope.otlp.BadRequestException;
import io.rollscope.otlp.JsonRequests;
import io.rollscope.otlp.Signal;
import io.rollscope.store.Incoming;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * OTLP-JSON lines as what they are: requests that are passed on, with all attributes, to an outlet
 * and not into tables. What the file says of its run is added to their resources.
 */
final class RequestLines implements TraceFormat {
  private static final int MAX_BYTES = 1 << 20;
  private static final int MAX_SPANS = 5_000;

  private final OtlpFormat format = new OtlpFormat();
  private final ToLongFunction<TraceFile> resumeAt;
  private final Outlet outlet;

  RequestLines(ToLongFunction<TraceFile> resumeAt, Outlet outlet) {
    this.resumeAt = resumeAt;
    this.outlet = outlet;
  }

  @Override
  public String id() {
    return format.id();
  }

  @Override
  public String description() {
    return format.description();
  }

  @Override
  public boolean nameMatches(String fileName) {
    return format.nameMatches(fileName);
  }

  @Override
  public boolean keysMatch(Set<String> keys) {
    return format.keysMatch(keys);
  }

  @Override
  public boolean hasRows() {
    return false;
  }

  @Override
  public LineParser newParser() {
    return new Parser();
  }

  /** One line as a request. */
  private record Message(Signal signal, MessageLite request, int items) {}

  private final class Parser implements LineParser {
    private final JsonScanner scanner = new JsonScanner();
    private final List<Part> parts = new ArrayList<>();
    private final List<MessageLite> collected = new ArrayList<>();
    private TraceFile file;
    private long resume = -1;
    private Signal signal = Signal.TRACES;
    private int bytes;
    private int items;
    private long end;

    @Override
    public void begin(TraceFile file) {
      this.file = file;
      resume = -1;
    }

    @Override
    public void line(byte[] b, int from, int to, long offset) throws BadLineException {
      if (resume < 0) {
        resume = resumeAt.applyAsLong(file); // Not before: only now its first line is whole.
      }
      if (offset < resume) {
        return;
      }
      Message message = message(b, from, to);
      int size = message.request().getSerializedSize();
      boolean full = bytes + size > MAX_BYTES || items + message.items() > MAX_SPANS;
      if (full || message.signal() != signal) {
        finishPart();
      }
      signal = message.signal();
      collected.add(message.request());
      bytes += size;
      items += message.items();
      end = offset + (to - from) + 1;
    }

    @Override
    public void deliver(Runs runs) {
      finishPart();
      parts.forEach(outlet::send);
      parts.clear();
    }

    /** Requests one behind the other are one request. */
    private void finishPart() {
      if (collected.isEmpty()) {
        return;
      }
      byte[] whole = new byte[Incoming.HEAD + bytes];
      int at = Incoming.HEAD;
      for (MessageLite message : collected) {
        byte[] part = message.toByteArray();
        System.arraycopy(part, 0, whole, at, part.length);
        at += part.length;
      }
      parts.add(new Part(file, end, signal, whole, items));
      collected.clear();
      bytes = 0;
      items = 0;
    }

    private Message message(byte[] b, int from, int to) throws BadLineException {
      Signal kind = OtlpFormat.signalOf(scanner, b, from, to);
      try {
        byte[] request = JsonRequests.lineToProtobuf(kind, b, from, to);
        return switch (kind) {
          case TRACES -> traces(request);
          case LOGS -> logs(request);
          case METRICS -> metrics(request);
        };
      } catch (BadRequestException e) {
        throw new BadLineException(e.getMessage());
      } catch (InvalidProtocolBufferException e) {
        throw new IllegalStateException("a request of our own making", e);
      }
    }

    private Message traces(byte[] request) throws InvalidProtocolBufferException {
      var builder = ExportTraceServiceRequest.parseFrom(request).toBuilder();
      int spans = 0;
      for (var resource : builder.getResourceSpansBuilderList()) {
        Resources.addFileOf(resource.getResourceBuilder(), file);
        for (var scope : resource.getScopeSpansList()) {
          spans += scope.getSpansCount();
        }
      }
      return new Message(Signal.TRACES, builder.build(), spans);
    }

    private Message logs(byte[] request) throws InvalidProtocolBufferException {
      var builder = ExportLogsServiceRequest.parseFrom(request).toBuilder();
      int records = 0;
      for (var resource : builder.getResourceLogsBuilderList()) {
        Resources.addFileOf(resource.getResourceBuilder(), file);
        for (var scope : resource.getScopeLogsList()) {
          records += scope.getLogRecordsCount();
        }
      }
      return new Message(Signal.LOGS, builder.build(), records);
    }

    private Message metrics(byte[] request) throws InvalidProtocolBufferException {
      var builder = ExportMetricsServiceRequest.parseFrom(request).toBuilder();
      int metrics = 0;
      for (var resource : builder.getResourceMetricsBuilderList()) {
        Resources.addFileOf(resource.getResourceBuilder(), file);
        for (var scope : resource.getScopeMetricsList()) {
          metrics += scope.getMetricsCount();
        }
      }
      return new Message(Signal.METRICS, builder.build(), metrics);
    }
  }
}
