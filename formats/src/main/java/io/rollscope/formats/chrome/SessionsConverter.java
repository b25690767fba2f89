package io.rollscope.formats.chrome;

import io.rollscope.core.model.Worker;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.formats.json.JsonText;
import io.rollscope.formats.output.OutputFile;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes a Chrome trace of sessions, whatever format they were read from: one process per worker,
 * one track per session. Only one session is looked at at a time.
 */
public final class SessionsConverter {
  private static final Comparator<Worker> BY_ROLE_AND_RANK =
      Comparator.comparing((Worker w) -> w.equals(Worker.UNKNOWN))
          .thenComparing(w -> w.role() == null ? "" : w.role())
          .thenComparing(w -> w.rank() == null ? Long.MAX_VALUE : w.rank());

  /**
   * What was done.
   *
   * @param baseNs the moment that is time 0 of the trace, in nanoseconds since 1970
   */
  public record Result(long sessions, long slices, long points, long baseNs) {}

  /** Earliest and latest time of the sessions that share a clock. */
  private static final class Extent {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;

    void include(SessionExtent session) {
      first = Math.min(first, session.first());
      last = Math.max(last, session.last());
    }
  }

  private final SpanTable table;
  private final SessionSpans spans;
  private final long now;
  private final String displayTimeUnit;
  private final Map<Worker, Integer> pids = new TreeMap<>(BY_ROLE_AND_RANK);
  private final Extent utc = new Extent();
  private final Extent relative = new Extent();

  /**
   * @param now until when open spans are drawn
   * @param displayTimeUnit {@code ms} or {@code ns}
   */
  public SessionsConverter(SpanTable table, long now, String displayTimeUnit) {
    this.table = table;
    this.spans = new SessionSpans(table);
    this.now = now;
    this.displayTimeUnit = displayTimeUnit;
  }

  /** Writes the trace. The caller commits the output. */
  public Result convert(OutputFile output) throws IOException {
    return convert(output.stream());
  }

  /** Writes the trace. */
  public Result convert(OutputStream output) throws IOException {
    Worker[] workers = survey();
    EventList events = new EventList(output);
    writeProcesses(events);
    SessionTrack track = new SessionTrack(spans, events);
    long sessions = 0;
    for (int s = 0; s < workers.length; s++) {
      if (workers[s] != null) {
        spans.load(s);
        boolean own = table.hasRelativeClock(s);
        Extent clock = own ? relative : utc;
        // Now means nothing to a clock that counts from an unknown zero.
        track.write(pids.get(workers[s]), clock.first, own ? clock.last : now);
        sessions += table.isLane(s) ? 0 : 1;
      }
    }
    long base = utc.first == Long.MAX_VALUE ? 0 : utc.first;
    JsonText json = events.end(displayTimeUnit);
    json.raw(", \"otherData\": {\"converter\": \"rollscope\", \"base_time_ns\": ");
    json.string(Long.toString(base)).raw("}");
    events.finish();
    return new Result(sessions, track.slices(), track.points(), base);
  }

  /** Finds who there is and when it all began; the worker of each session, null for empty ones. */
  private Worker[] survey() {
    Worker[] workers = new Worker[table.sessionCount()];
    for (int s = 0; s < workers.length; s++) {
      spans.load(s);
      SessionExtent extent = SessionExtent.of(spans);
      if (extent.first() == Nanos.UNKNOWN) {
        continue;
      }
      (table.hasRelativeClock(s) ? relative : utc).include(extent);
      Worker worker = SessionState.of(spans).at().worker();
      pids.putIfAbsent(worker, 0);
      workers[s] = worker;
    }
    int next = 1;
    for (Map.Entry<Worker, Integer> entry : pids.entrySet()) {
      entry.setValue(next++);
    }
    return workers;
  }

  private void writeProcesses(EventList events) throws IOException {
    for (Map.Entry<Worker, Integer> entry : pids.entrySet()) {
      String label = entry.getKey().label();
      metadata(events, Metadata.PROCESS_NAME, entry.getValue())
          .raw("\"name\": ")
          .string(label == null ? "unknown worker" : label)
          .raw("}}");
      metadata(events, Metadata.PROCESS_SORT_INDEX, entry.getValue())
          .raw("\"sort_index\": ")
          .number(entry.getValue())
          .raw("}}");
    }
  }

  private static JsonText metadata(EventList events, Metadata kind, int pid) throws IOException {
    return events
        .next()
        .raw("{\"name\": ")
        .string(kind.word())
        .raw(", \"ph\": \"M\", \"pid\": ")
        .number(pid)
        .raw(", \"args\": {");
  }
}
