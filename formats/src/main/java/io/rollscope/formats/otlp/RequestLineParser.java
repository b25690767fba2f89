package io.rollscope.formats.otlp;

import io.rollscope.formats.folder.LineParser;
import io.rollscope.formats.folder.Runs;
import io.rollscope.formats.folder.TraceFile;
import io.rollscope.formats.scan.BadLineException;
import io.rollscope.formats.scan.JsonScanner;
import io.rollscope.otlp.BadRequestException;
import io.rollscope.otlp.JsonRequests;
import io.rollscope.otlp.RequestDecoder;
import io.rollscope.otlp.Signal;
import io.rollscope.otlp.record.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads export requests: spans, the log records that tell of spans, and metrics where they are
 * asked for. An item that cannot be used is refused by itself: the others of its line are kept.
 */
final class RequestLineParser implements LineParser {
  private static final long NANOS_PER_MS = 1_000_000;

  /** Said of a document of one line. */
  private static final String FIRST = "line 1, ";

  private final JsonScanner scanner = new JsonScanner();
  private final List<Line> lines = new ArrayList<>();
  private final boolean metrics;
  private TraceFile file;

  /**
   * @param metrics whether they are read
   */
  RequestLineParser(boolean metrics) {
    this.metrics = metrics;
  }

  private record Line(Request request, TraceFile file, long offset) {}

  @Override
  public void begin(TraceFile file) {
    this.file = file;
  }

  @Override
  public void deliver(Runs runs) {
    OtlpTraces traces = runs.unsettled(OtlpTraces.class, OtlpTraces::new);
    lines.forEach(line -> traces.add(line.request(), line.file(), line.offset()));
    if (metrics) {
      OtlpMetrics points = runs.unsettled(OtlpMetrics.class, OtlpMetrics::new);
      lines.forEach(line -> points.add(line.request(), line.file()));
    }
    lines.clear();
  }

  @Override
  public void line(byte[] b, int from, int to, long offset) throws BadLineException {
    Signal signal = OtlpFormat.signalOf(scanner, b, from, to);
    if (signal == Signal.METRICS && !metrics) {
      OtlpFormat.check(scanner, b, from, to);
      return;
    }
    Request request;
    try {
      byte[] protobuf = JsonRequests.lineToProtobuf(signal, b, from, to);
      long now = System.currentTimeMillis() * NANOS_PER_MS;
      request = RequestDecoder.decode(signal, protobuf, 0, now);
    } catch (BadRequestException e) {
      OtlpFormat.check(scanner, b, from, to); // It shows what is no JSON in its own words.
      String what = e.getMessage();
      throw new BadLineException(what.startsWith(FIRST) ? what.substring(FIRST.length()) : what);
    }
    lines.add(new Line(request, file, offset));
    long refused = request.rejectedCount();
    if (refused > 0) {
      Map.Entry<String, Long> first = request.rejected().entrySet().iterator().next();
      throw new BadLineException(
          "%d of %d %s refused: %s"
              .formatted(
                  refused,
                  refused + request.acceptedCount(),
                  switch (signal) {
                    case TRACES -> "spans";
                    case LOGS -> "log records";
                    case METRICS -> "metric points";
                  },
                  first.getKey()));
    }
  }
}
