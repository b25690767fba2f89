package io.rollscope.otlp;

import io.rollscope.core.model.Outcome;
import io.rollscope.core.session.LateFacts;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.otlp.record.Numbers;
import io.rollscope.otlp.record.Origin;
import io.rollscope.otlp.record.Said;
import io.rollscope.otlp.record.Sign;
import io.rollscope.otlp.record.SpanRecord;
import io.rollscope.otlp.record.Verdict;
import io.rollscope.otlp.wire.ProtoWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Writes records as export requests again. Decoded, they say the same as before; records of one
 * origin come together.
 */
public final class RequestWriter {
  private static final int RESOURCE_LOGS = 1;
  private static final int RESOURCE = 1;
  private static final int RESOURCE_ATTRIBUTES = 1;
  private static final int SCOPE_LOGS = 2;
  private static final int LOG_RECORDS = 2;
  private static final int TIME = 1;
  private static final int ATTRIBUTES = 6;
  private static final int TRACE_ID = 9;
  private static final int SPAN_ID = 10;
  private static final int EVENT_NAME = 12;

  private RequestWriter() {}

  /** Spans, ended or open. What they say of where they belong is in their attributes. */
  public static byte[] traces(List<SpanRecord> spans) {
    Map<Origin, List<SpanRecord>> byOrigin = new LinkedHashMap<>();
    for (SpanRecord span : spans) {
      byOrigin.computeIfAbsent(span.origin(), o -> new ArrayList<>()).add(span);
    }
    TraceRequestBuilder request = new TraceRequestBuilder();
    byOrigin.forEach(
        (origin, own) -> {
          request.resource().attributes(origin.attributes());
          own.forEach(span -> add(request, span));
        });
    return request.build();
  }

  private static void add(TraceRequestBuilder request, SpanRecord s) {
    request
        .span(
            s.traceHigh(), s.traceLow(), s.spanId(), s.parentId(), s.name(), s.startNs(), s.endNs())
        .attributes(s.attributes());
    if (s.outcome() == Outcome.ERROR || s.outcome() == Outcome.CANCELLED) {
      request.failedAsTold(s.errorMessage());
    }
  }

  /** Verdicts and signs of life, as log records. */
  public static byte[] logs(List<Verdict> verdicts, List<Sign> signs) {
    Map<Origin, List<Consumer<ProtoWriter>>> records = new LinkedHashMap<>();
    for (Verdict verdict : verdicts) {
      List<Consumer<ProtoWriter>> own =
          records.computeIfAbsent(verdict.origin(), o -> new ArrayList<>());
      boolean decided = verdict.status() != null;
      if (decided) {
        own.add(out -> write(out, verdict));
      }
      for (LateFacts late : verdict.lateFacts().byTime()) {
        if (!decided || late.newestNs() != verdict.timeNs()) {
          own.add(out -> write(out, verdict, late));
        }
      }
    }
    for (Sign sign : signs) {
      records.computeIfAbsent(sign.origin(), o -> new ArrayList<>()).add(out -> write(out, sign));
    }
    ProtoWriter out = new ProtoWriter(4_096);
    records.forEach(
        (origin, own) -> {
          int resourceLogs = out.begin(RESOURCE_LOGS);
          int resource = out.begin(RESOURCE);
          origin.attributes().writeTo(out, RESOURCE_ATTRIBUTES);
          out.end(resource);
          int scope = out.begin(SCOPE_LOGS);
          own.forEach(
              write -> {
                int record = out.begin(LOG_RECORDS);
                write.accept(out);
                out.end(record);
              });
          out.end(scope);
          out.end(resourceLogs);
        });
    return out.toBytes();
  }

  private static void write(ProtoWriter out, Verdict verdict) {
    out.fixed64(TIME, verdict.timeNs());
    write(out, verdict.said());
    for (LateFacts late : verdict.lateFacts().byTime()) {
      if (late.newestNs() == verdict.timeNs()) {
        write(out, late.values());
      }
    }
    writePlace(out, verdict);
  }

  /** What was reported at one time, without the decision. */
  private static void write(ProtoWriter out, Verdict verdict, LateFacts late) {
    out.fixed64(TIME, late.newestNs());
    if (verdict.status() == null) {
      write(out, verdict.said());
    } else {
      write(out, Key.RUN, verdict.said().run());
      write(out, Key.SESSION, verdict.said().session());
    }
    write(out, late.values());
    writePlace(out, verdict);
  }

  private static void write(ProtoWriter out, RewardAndTokens got) {
    write(out, Key.REWARD, got.reward() == null ? null : Numbers.text(got.reward()));
    write(out, Key.INPUT_TOKENS, got.inputTokens());
    write(out, Key.OUTPUT_TOKENS, got.outputTokens());
  }

  private static void writePlace(ProtoWriter out, Verdict verdict) {
    out.id(TRACE_ID, verdict.traceHigh(), verdict.traceLow());
    out.id(SPAN_ID, verdict.spanId());
    out.string(EVENT_NAME, LogReader.VERDICT);
  }

  private static void write(ProtoWriter out, Said said) {
    write(out, Key.RUN, said.run());
    write(out, Key.SESSION, said.session());
    write(out, Key.LANE, said.lane());
    write(out, Key.TRACE_SEGMENT, said.alone() && said.lane() == null ? "true" : null);
    write(out, Key.BATCH, said.batch());
    write(out, Key.TRAIN_STEP, said.trainStep());
    write(out, Key.MODEL_STEP, said.modelStep());
    write(out, Key.FUTURE_STEP, said.futureStep());
    write(out, Key.TASK, said.task());
    write(out, Key.TASK_NAME, said.taskName());
    write(out, Key.STAGE, said.stage());
    write(out, Key.ATTEMPT, said.attempt());
    write(out, Key.WORKER_ROLE, said.workerRole());
    write(out, Key.WORKER_RANK, said.workerRank());
    write(out, Key.STATUS, said.status());
    write(out, Key.XTUNER_STATUS, said.sourceStatus());
    write(out, Key.REASON, said.reason());
  }

  private static void write(ProtoWriter out, Sign sign) {
    out.fixed64(TIME, sign.timeNs());
    write(out, Key.RUN, sign.run());
    write(out, Key.OPEN_SPANS, sign.openSpans() < 0 ? null : (Long) sign.openSpans());
    write(out, Key.DROPPED_SPANS, (Long) sign.droppedSpans());
    write(out, Key.DROPPED_STARTS, (Long) sign.droppedStarts());
    write(out, Key.DROPPED_METRICS, (Long) sign.droppedMetrics());
    write(out, Key.CUT_ATTRIBUTES, (Long) sign.cutAttributes());
    write(out, Key.DELETED_SPANS, (Long) sign.deletedSpans());
    out.string(EVENT_NAME, sign.end() ? LogReader.PROCESS_END : LogReader.BEAT);
  }

  private static void write(ProtoWriter out, Key key, String value) {
    AttributeWriter.write(out, ATTRIBUTES, key.text(), value);
  }

  private static void write(ProtoWriter out, Key key, Long value) {
    AttributeWriter.write(out, ATTRIBUTES, key.text(), value);
  }
}
