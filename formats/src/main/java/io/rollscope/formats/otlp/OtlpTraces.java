package io.rollscope.formats.otlp;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.table.Chunk;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SessionFacts;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.formats.folder.Runs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All spans read so far, by trace. Children arrive before their parents, so run and session are
 * resolved over whole traces, each time something new was read.
 */
final class OtlpTraces implements Runs.Unsettled {
  /** A parent never seen is believed to be open for this long after the last news of its trace. */
  private static final long INFERRED_FOR_NS = 600_000_000_000L;

  /** The objects of a span, its places in maps, and its rows while being settled, about. */
  private static final long BYTES_PER_SPAN = 500;

  private record TraceId(long high, long low) {}

  private record SessionId(String run, String session) {}

  private final Map<TraceId, Map<Long, OtlpSpan>> traces = new LinkedHashMap<>();
  private final Map<TraceId, Map<Long, OtlpVerdict>> verdicts = new LinkedHashMap<>();

  /** The last sign of each process. */
  private final Map<String, OtlpSign> signs = new HashMap<>();

  private final Set<String> runsMade = new HashSet<>();
  private long newest = Nanos.UNKNOWN;
  private long spans;
  private boolean changed;

  void add(OtlpSpan span) {
    changed = true;
    spans++;
    newest = Math.max(newest, span.isOpen() ? span.startNs() : span.endNs());
    traces
        .computeIfAbsent(new TraceId(span.traceHigh(), span.traceLow()), t -> new LinkedHashMap<>())
        .merge(span.id(), span, OtlpSpan::with);
  }

  void add(OtlpVerdict verdict) {
    changed = true;
    spans++;
    newest = Math.max(newest, verdict.timeNs());
    verdicts
        .computeIfAbsent(new TraceId(verdict.traceHigh(), verdict.traceLow()), t -> new HashMap<>())
        .merge(verdict.spanId(), verdict, OtlpVerdict::or);
  }

  void add(OtlpSign sign) {
    changed = true;
    newest = Math.max(newest, sign.timeNs());
    signs.merge(sign.process().instance(), sign, OtlpSign::or);
  }

  @Override
  public long bytes() {
    return spans * BYTES_PER_SPAN;
  }

  @Override
  public void settle(Runs runs) {
    if (!changed) {
      return;
    }
    changed = false;
    runsMade.forEach(runs::forget);
    runsMade.clear();
    Found found = new Found(new LinkedHashMap<>(), new LinkedHashMap<>(), new HashMap<>());
    traces.forEach((id, trace) -> resolve(trace, verdicts.getOrDefault(id, Map.of()), found));
    verdicts.forEach(
        (id, decided) -> {
          if (!traces.containsKey(id)) {
            resolve(Map.of(), decided, found);
          }
        });
    Map<String, Chunk> chunks = new HashMap<>();
    found.sessions.forEach(
        (id, spans) -> {
          addSession(chunk(chunks, id.run()), id.session(), spans, found.verdicts.get(id));
          spans.forEach(span -> span.counters().forEach(runs.run(id.run())::count));
        });
    found.lanes.forEach((id, spans) -> addLane(chunk(chunks, id.run()), id.session(), spans));
    chunks.forEach(
        (run, chunk) -> {
          runsMade.add(run);
          runs.run(run).table().append(chunk, 0);
        });
    for (OtlpSign sign : signs.values()) {
      if (runsMade.contains(sign.run())) { // A run is made of what it did.
        runs.run(sign.run()).table().heard(sign.process());
      }
    }
  }

  private static Chunk chunk(Map<String, Chunk> chunks, String run) {
    return chunks.computeIfAbsent(run, r -> new Chunk(new Chunk.Words()));
  }

  /** Where all that was read belongs. */
  private record Found(
      Map<SessionId, List<OtlpSpan>> sessions,
      Map<SessionId, List<OtlpSpan>> lanes,
      Map<SessionId, OtlpVerdict> verdicts) {}

  private void resolve(Map<Long, OtlpSpan> trace, Map<Long, OtlpVerdict> decided, Found found) {
    String run = runOf(trace, decided);
    Map<Long, String> resolved = new HashMap<>();
    Map<Long, OtlpSpan> earliestOrphan = new LinkedHashMap<>();
    long latest = Nanos.UNKNOWN;
    for (OtlpSpan span : trace.values()) {
      latest = Math.max(latest, span.isOpen() ? span.startNs() : span.endNs());
      String session = sessionOf(span, trace, resolved);
      String own = span.run() != null ? span.run() : run;
      OtlpSpan told = isLost(span) ? span.lost() : span;
      if (session == null) {
        String lane = span.lane() != null ? span.lane() : span.name().stage();
        found.lanes.computeIfAbsent(new SessionId(own, lane), k -> new ArrayList<>()).add(told);
      } else {
        found
            .sessions
            .computeIfAbsent(new SessionId(own, session), k -> new ArrayList<>())
            .add(told);
        if (span.parent() != 0 && !trace.containsKey(span.parent())) {
          earliestOrphan.merge(span.parent(), span, (a, b) -> a.startNs() <= b.startNs() ? a : b);
        }
      }
    }
    if (latest >= newest - INFERRED_FOR_NS) {
      for (OtlpSpan child : earliestOrphan.values()) {
        String own = child.run() != null ? child.run() : run;
        found
            .sessions
            .get(new SessionId(own, sessionOf(child, trace, resolved)))
            .add(inferred(child));
      }
    }
    for (OtlpVerdict verdict : decided.values()) {
      OtlpSpan span = trace.get(verdict.spanId());
      String session = span == null ? null : sessionOf(span, trace, resolved);
      String said = session != null ? session : verdict.session();
      String own = span != null && span.run() != null ? span.run() : verdict.run();
      if (said != null) {
        found.verdicts.merge(
            new SessionId(own != null ? own : run, said), verdict, OtlpVerdict::or);
      }
    }
  }

  /** Only a goodbye tells: a file is silent when nobody writes it any more. */
  private boolean isLost(OtlpSpan span) {
    OtlpSign last = span.isOpen() && span.instance() != null ? signs.get(span.instance()) : null;
    return last != null && last.end();
  }

  /** The parent of a span, which must have begun although nothing was heard of it. */
  private static OtlpSpan inferred(OtlpSpan child) {
    return new OtlpSpan(
        child.traceHigh(),
        child.traceLow(),
        child.parent(),
        0,
        SpanName.NOT_YET_SEEN,
        Kind.PHASE,
        child.startNs(),
        Nanos.OPEN,
        Outcome.OPEN,
        null,
        child.at(),
        child.run(),
        child.service(),
        null,
        child.session(),
        null,
        false,
        null,
        null,
        Map.of(),
        child.file(),
        child.offset());
  }

  private static String runOf(Map<Long, OtlpSpan> trace, Map<Long, OtlpVerdict> decided) {
    String service = null;
    for (OtlpSpan span : trace.values()) {
      if (span.run() != null) {
        return span.run();
      }
      service = service == null ? span.service() : service;
    }
    for (OtlpVerdict verdict : decided.values()) {
      if (verdict.run() != null) {
        return verdict.run();
      }
      service = service == null ? verdict.service() : service;
    }
    return runOrUnknown(service);
  }

  static String runOrUnknown(String service) {
    return service == null ? "unknown_service" : service;
  }

  /**
   * Its own session, else its nearest ancestor's, else its trace; null for what is never one.
   *
   * @param resolved what ancestors said so far; null for a span none of whose ancestors names one
   */
  private static String sessionOf(
      OtlpSpan span, Map<Long, OtlpSpan> trace, Map<Long, String> resolved) {
    List<Long> path = new ArrayList<>();
    OtlpSpan at = span;
    String session = null;
    while (at != null && path.size() <= trace.size()) {
      session = at.session() != null ? at.session() : resolved.get(at.id());
      if (session != null || resolved.containsKey(at.id())) {
        break;
      }
      path.add(at.id());
      at = at.parent() == 0 ? null : trace.get(at.parent());
    }
    for (long id : path) {
      resolved.put(id, session);
    }
    if (session != null) {
      return session;
    }
    return span.alone() ? null : span.traceId();
  }

  /** By end, so that of two that say different things the newest holds, whenever they arrived. */
  private static final Comparator<OtlpSpan> OLDEST_FIRST =
      Comparator.comparingLong(OtlpSpan::endNs)
          .thenComparingLong(OtlpSpan::startNs)
          .thenComparing(OtlpSpan::id, Long::compareUnsigned);

  /**
   * @param decided what was said of it apart from its spans, or null
   */
  private static void addSession(
      Chunk chunk, String session, List<OtlpSpan> spans, OtlpVerdict decided) {
    spans.sort(OLDEST_FIRST);
    int first = chunk.rows();
    Status verdict = null;
    String reason = null;
    String task = null;
    long submitted = Nanos.UNKNOWN;
    long finalised = Nanos.UNKNOWN;
    Coordinates at = Coordinates.NONE;
    for (OtlpSpan span : spans) {
      addRow(chunk, 0, span);
      task = task == null ? span.at().task() : task;
      reason = span.reason() != null ? span.reason() : reason;
      at = span.at();
      if (span.kind() == Kind.SESSION) {
        verdict = span.verdict() != null ? span.verdict() : verdict;
        boolean earlier = submitted == Nanos.UNKNOWN || span.startNs() < submitted;
        submitted = earlier ? span.startNs() : submitted;
        finalised = span.isOpen() ? Nanos.UNKNOWN : span.endNs();
      }
    }
    if (decided != null) {
      verdict = decided.status() != null ? decided.status() : verdict;
      reason = decided.reason() != null ? decided.reason() : reason;
      finalised = Math.max(finalised, decided.timeNs());
    }
    String trace = spans.get(0).traceId();
    Coordinates known =
        new Coordinates(null, at.trainStep(), null, null, task, at.taskName(), at.worker(), null);
    chunk.session(
        new SessionFacts(
            session, trace, task, null, known, submitted, finalised, verdict, reason, false),
        first);
  }

  private static void addLane(Chunk chunk, String lane, List<OtlpSpan> spans) {
    int number = chunk.words.lane(lane, false);
    for (OtlpSpan span : spans) {
      addRow(chunk, number, span);
    }
  }

  private static void addRow(Chunk chunk, int session, OtlpSpan span) {
    int note = span.error() == null ? -1 : chunk.words.notes.intern(span.error());
    chunk.add(
        session,
        RowKind.of(RowKind.SPAN, span.outcome(), span.kind()),
        chunk.words.names.intern(span.name()),
        span.startNs(),
        span.endNs(),
        chunk.words.coordinates.intern(span.at()),
        note,
        SpanTable.origin(span.file(), span.offset()));
    chunk.identify(span.id(), span.parent());
  }
}
