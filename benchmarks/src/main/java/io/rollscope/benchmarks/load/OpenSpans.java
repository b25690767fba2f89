package io.rollscope.benchmarks.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rollscope.otlp.wire.ProtoWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

/** Start records of sessions that hang: for each, its own and that of one piece of work in it. */
final class OpenSpans {
  private static final String EVENT = "rollscope.span.start";
  private static final int RECORDS_PER_SESSION = 2;
  private static final int ATTRIBUTES = 6;

  private OpenSpans() {}

  static void send(LoadOptions options) throws IOException {
    long now = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    SpanValues values = new SpanValues(options.seed(), options.calendar());
    try (HttpConnection connection = new HttpConnection(options.host(), options.port())) {
      int perRequest = options.batch() / RECORDS_PER_SESSION;
      int sessions = options.open() / RECORDS_PER_SESSION;
      for (int first = 0; first < sessions; first += perRequest) {
        byte[] body =
            encode(options.run(), values, first, Math.min(sessions, first + perRequest), now);
        byte[] head = connection.head("/v1/logs", "application/x-protobuf", body.length);
        ByteBuffer request = ByteBuffer.allocate(head.length + body.length);
        Connection.Answer answer = connection.send(request.put(head).put(body).flip());
        if (!answer.isAcknowledged() || answer.body().length > 0) {
          throw new IOException(
              "answer: " + answer.status() + " " + new String(answer.body(), UTF_8));
        }
      }
      System.out.printf("open %d%n", sessions * RECORDS_PER_SESSION);
    }
  }

  private static byte[] encode(String run, SpanValues values, int from, int to, long now) {
    ProtoWriter scope = new ProtoWriter(1 << 16);
    for (int session = from; session < to; session++) {
      record(scope, values, session, SessionSpan.SESSION, now);
      int work = 1 + session % (SessionSpan.COUNT - 1);
      record(scope, values, session, SessionSpan.of(work), now);
    }
    ProtoWriter out = new ProtoWriter(scope.length() + 1_000);
    int resourceLogs = out.begin(1);
    int resource = out.begin(1);
    RunResource.describe(run, (key, value) -> attribute(out, 1, key, value));
    out.end(resource);
    out.bytes(2, scope.toBytes(), 0, scope.length());
    out.end(resourceLogs);
    return out.toBytes();
  }

  private static void record(
      ProtoWriter out, SpanValues values, int session, SessionSpan span, long now) {
    values.take(session, SessionSpan.SESSION, now);
    long root = values.spanId;
    values.take(session, span, now);
    int record = out.begin(2);
    out.fixed64(1, values.startNs);
    attribute(out, ATTRIBUTES, "rollscope.span.name", span.text());
    if (span == SessionSpan.SESSION) {
      attribute(out, ATTRIBUTES, "rl.kind", "session");
    } else {
      attribute(out, ATTRIBUTES, "rollscope.span.parent_id", HexFormat.of().toHexDigits(root));
    }
    attribute(out, ATTRIBUTES, "rl.worker.role", span.role());
    attribute(out, ATTRIBUTES, "rl.train_step", Integer.toString(values.step));
    out.id(9, values.traceHigh, values.traceLow);
    out.id(10, values.spanId);
    out.string(12, EVENT);
    out.end(record);
  }

  private static void attribute(ProtoWriter out, int field, String key, String value) {
    int attribute = out.begin(field);
    out.string(1, key);
    int any = out.begin(2);
    out.string(1, value);
    out.end(any);
    out.end(attribute);
  }
}
