package io.rollscope.formats.areal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.rollscope.formats.areal.ArealEvent.Phase;
import io.rollscope.formats.json.JsonText;
import io.rollscope.formats.json.PythonFloat;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** A session whose row is not written yet: AReaL writes it once, when its fate is known. */
final class TracedSession {
  private static final byte[] TASK = "{\"task_id\": ".getBytes(US_ASCII);
  private static final byte[] SESSION = ", \"session_id\": ".getBytes(US_ASCII);
  private static final byte[] RANK = ", \"rank\": ".getBytes(US_ASCII);
  private static final byte[] ROLE = ", \"role\": ".getBytes(US_ASCII);
  private static final byte[] STATUS = ", \"status\": ".getBytes(US_ASCII);
  private static final byte[] REASON = ", \"reason\": ".getBytes(US_ASCII);
  private static final byte[] SUBMITTED = ", \"submit_ts\": ".getBytes(US_ASCII);
  private static final byte[] FINALIZED = ", \"finalized_ts\": ".getBytes(US_ASCII);
  private static final byte[] TOTAL = ", \"total_s\": ".getBytes(US_ASCII);
  private static final byte[] PHASES = ", \"phases\": {".getBytes(US_ASCII);
  private static final byte[] COUNTERS = ", \"counters\": {".getBytes(US_ASCII);
  private static final byte[] PHASE_SECONDS = "_s\": ".getBytes(US_ASCII);
  private static final byte[] SPANS = "\": [".getBytes(US_ASCII);
  private static final byte[] START = "{\"start_ts\": ".getBytes(US_ASCII);
  private static final byte[] END = ", \"end_ts\": ".getBytes(US_ASCII);
  private static final byte[] COMMA = ", ".getBytes(US_ASCII);
  private static final byte[] COLON = ": ".getBytes(US_ASCII);

  private final ArealEvent.Submitted submitted;
  private final Map<Phase, Spans> phases = new EnumMap<>(Phase.class);
  private final Map<String, Long> counters = new LinkedHashMap<>(4);

  TracedSession(ArealEvent.Submitted submitted) {
    this.submitted = submitted;
  }

  void start(Phase phase, long timeNs) {
    spans(phase).start(PythonFloat.seconds(timeNs));
  }

  void end(Phase phase, long timeNs) {
    spans(phase).end(PythonFloat.seconds(timeNs));
  }

  void count(String counter, long by) {
    counters.merge(counter, by, Long::sum);
  }

  /** Appends the row; without a verdict it is {@code pending}. */
  void appendTo(JsonText row, ArealProcess process, ArealEvent.Finalised verdict) {
    row.raw(TASK).number(submitted.task());
    row.raw(SESSION).number(submitted.session());
    row.raw(RANK).number(process.rank());
    if (process.role() != null) {
      row.raw(ROLE).string(process.role());
    }
    row.raw(STATUS).string(verdict == null ? "pending" : verdict.status());
    if (verdict != null && verdict.reason() != null) {
      row.raw(REASON).string(verdict.reason());
    }
    double from = PythonFloat.seconds(submitted.timeNs());
    row.raw(SUBMITTED).number(from);
    if (verdict != null) {
      double to = PythonFloat.seconds(verdict.timeNs());
      row.raw(FINALIZED).number(to).raw(TOTAL).number(to - from);
    }
    appendPhases(row);
    appendCounters(row);
    row.raw('}');
  }

  private void appendPhases(JsonText row) {
    for (Map.Entry<Phase, Spans> phase : phases.entrySet()) {
      Spans spans = phase.getValue();
      if (spans.closed > 0) {
        row.raw(COMMA).raw('"').inside(phase.getKey().key()).raw(PHASE_SECONDS);
        row.number(spans.total());
      }
    }
    boolean first = true;
    for (Map.Entry<Phase, Spans> phase : phases.entrySet()) {
      row.raw(first ? PHASES : COMMA);
      row.raw('"').inside(phase.getKey().key()).raw(SPANS);
      phase.getValue().appendTo(row);
      first = false;
    }
    if (!first) {
      row.raw('}');
    }
  }

  private void appendCounters(JsonText row) {
    boolean first = true;
    for (Map.Entry<String, Long> counter : counters.entrySet()) {
      if (counter.getValue() != 0) {
        row.raw(first ? COUNTERS : COMMA);
        row.string(counter.getKey()).raw(COLON).number(counter.getValue());
        first = false;
      }
    }
    if (!first) {
      row.raw('}');
    }
  }

  private Spans spans(Phase phase) {
    return phases.computeIfAbsent(phase, any -> new Spans());
  }

  /** Start and end of every span of one phase; the end of an open one is not a number. */
  private static final class Spans {
    private double[] times = new double[4];
    private int length;
    private int active = -1;
    private int closed;

    void start(double time) {
      if (length == times.length) {
        times = Arrays.copyOf(times, length * 2);
      }
      active = length;
      times[length] = time;
      times[length + 1] = Double.NaN;
      length += 2;
    }

    void end(double time) {
      if (active < 0) {
        start(time); // AReaL: an end without a start is a span of no length
      }
      times[active + 1] = time;
      active = -1;
      closed++;
    }

    double total() {
      double sum = 0;
      for (int i = 0; i < length; i += 2) {
        if (!Double.isNaN(times[i + 1])) {
          sum += times[i + 1] - times[i];
        }
      }
      return sum;
    }

    void appendTo(JsonText row) {
      for (int i = 0; i < length; i += 2) {
        if (i > 0) {
          row.raw(COMMA);
        }
        row.raw(START).number(times[i]).raw(END);
        if (Double.isNaN(times[i + 1])) {
          row.none();
        } else {
          row.number(times[i + 1]);
        }
        row.raw('}');
      }
      row.raw(']');
    }
  }
}
