package io.rollscope.formats.areal;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.session.SessionStatus;
import io.rollscope.core.table.Chunk;
import io.rollscope.core.table.Dictionary;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SessionFacts;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.time.Nanos;
import io.rollscope.formats.folder.LineParser;
import io.rollscope.formats.folder.RunData;
import io.rollscope.formats.folder.Runs;
import io.rollscope.formats.folder.TraceFile;
import io.rollscope.formats.scan.BadLineException;
import io.rollscope.formats.scan.JsonScanner;
import io.rollscope.formats.scan.KeySet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Reads session rows. Phases become spans whatever their name. Older rows: {@code enqueue_ts}
 * becomes a point, {@code execution} a span, {@code wait_return_ts} the finalisation.
 */
final class ArealSessionsParser implements LineParser {
  /** Smaller timestamps are no wall clock: they count from an unknown zero. */
  private static final double LEAST_EPOCH_S = 1e9;

  /** In the order of the cases of {@link #field}. */
  private static final KeySet KEYS =
      new KeySet(
          "task_id",
          "session_id",
          "request_id",
          "rank",
          "role",
          "status",
          "reason",
          "rejection_reason",
          "submit_ts",
          "finalized_ts",
          "wait_return_ts",
          "enqueue_ts",
          "execute_start_ts",
          "execute_end_ts",
          "phases",
          "counters");

  private static final KeySet PHASE_KEYS = new KeySet("start_ts", "end_ts");

  private static final byte CLOSED = RowKind.of(RowKind.SPAN, Outcome.OK, Kind.PHASE);
  private static final byte UNENDED = RowKind.of(RowKind.SPAN, Outcome.OPEN, Kind.PHASE);
  private static final byte POINT = RowKind.of(RowKind.POINT, Outcome.OK, Kind.PHASE);

  private final Chunk.Words words = new Chunk.Words();
  private final Chunk chunk = new Chunk(words);
  private final JsonScanner scanner = new JsonScanner();
  private final Map<String, Long> counters = new HashMap<>();
  private final ArealPhases phases = new ArealPhases();
  private final Dictionary few = new Dictionary();
  private final Dictionary phaseWords = new Dictionary();
  private int[] phaseNames = new int[0];
  private Coordinates lastAt = Coordinates.NONE;
  private int lastPlace = -1;
  private TraceFile file;

  private String task;
  private String session;
  private Long rank;
  private String role;
  private String status;
  private String reason;
  private double submitted;
  private double finalised;
  private double enqueued;
  private double executionStart;
  private double executionEnd;
  private final Map<String, Long> rowCounters = new HashMap<>();

  @Override
  public void begin(TraceFile file) {
    this.file = file;
  }

  @Override
  public void deliver(Runs runs) {
    RunData run = runs.run(file.run());
    run.table().append(chunk, file.number());
    chunk.clear();
    counters.forEach(run::count);
    counters.clear();
  }

  @Override
  public void line(byte[] b, int from, int to, long offset) throws BadLineException {
    task = session = role = status = reason = null;
    rank = null;
    submitted = finalised = enqueued = executionStart = executionEnd = Double.NaN;
    phases.clear();
    rowCounters.clear();
    scanner.open(b, from, to);
    scanner.beginObject();
    while (scanner.nextKey()) {
      if (!scanner.nullValue()) {
        field(scanner.key(KEYS));
      }
    }
    scanner.finish();
    if (session == null || Double.isNaN(submitted)) {
      throw new BadLineException(
          "no "
              + (session == null ? "session_id" : "submit_ts")
              + " (expected: session_id or request_id, and submit_ts)");
    }
    addRows(offset);
    rowCounters.forEach((name, n) -> counters.merge(name, n, Long::sum));
  }

  private void field(int key) throws BadLineException {
    switch (key) {
      case 0 -> task = scanner.scalar("task_id");
      case 1, 2 -> session = scanner.scalar("session_id");
      case 3 -> rank = scanner.integer("rank");
      case 4 -> role = scanner.string("role");
      case 5 -> status = word("status");
      case 6, 7 -> reason = word("reason");
      case 8 -> submitted = scanner.number("submit_ts");
      case 9, 10 -> finalised = scanner.number("finalized_ts");
      case 11 -> enqueued = scanner.number("enqueue_ts");
      case 12 -> executionStart = scanner.number("execute_start_ts");
      case 13 -> executionEnd = scanner.number("execute_end_ts");
      case 14 -> readPhases();
      case 15 -> readCounters();
      default -> scanner.skip();
    }
  }

  /** A text of which there are few different ones. */
  private String word(String field) throws BadLineException {
    scanner.stringToken(field);
    return scanner.tokenEscaped() ? scanner.tokenText() : few.word(scanner.intern(few));
  }

  private void readPhases() throws BadLineException {
    scanner.beginObject("phases");
    while (scanner.nextKey()) {
      int phase = phaseName();
      phases.begin(phase);
      scanner.beginArray("spans of a phase");
      while (scanner.nextElement()) {
        double start = Double.NaN;
        double end = Double.NaN;
        scanner.beginObject("span of a phase");
        while (scanner.nextKey()) {
          int key = scanner.key(PHASE_KEYS);
          if (scanner.nullValue()) {
            continue;
          }
          switch (key) {
            case 0 -> start = scanner.number("start_ts");
            case 1 -> end = scanner.number("end_ts");
            default -> scanner.skip();
          }
        }
        if (Double.isNaN(start)) {
          throw new BadLineException(
              "no start_ts in a "
                  + words.names.get(phase).raw()
                  + " phase (expected: start_ts, and end_ts or null)");
        }
        phases.add(time("start_ts", start), Double.isNaN(end) ? Nanos.OPEN : time("end_ts", end));
      }
      phases.rejoin();
    }
  }

  private int phaseName() throws BadLineException {
    int phase = scanner.internKey(phaseWords);
    if (phase == phaseNames.length) {
      phaseNames = Arrays.copyOf(phaseNames, phase + 1);
      phaseNames[phase] = name(phaseWords.text(phase));
    }
    return phaseNames[phase];
  }

  private void readCounters() throws BadLineException {
    scanner.beginObject("counters");
    while (scanner.nextKey()) {
      String name = scanner.key();
      rowCounters.merge(name, scanner.integer(name), Long::sum);
    }
  }

  private void addRows(long offset) throws BadLineException {
    long submit = time("submit_ts", submitted);
    long end = Double.isNaN(finalised) ? Nanos.UNKNOWN : time("finalized_ts", finalised);
    long enqueue = Double.isNaN(enqueued) ? Nanos.UNKNOWN : time("enqueue_ts", enqueued);
    if (!Double.isNaN(executionStart)) {
      phases.begin(name("execution"));
      phases.add(
          time("execute_start_ts", executionStart),
          Double.isNaN(executionEnd) ? Nanos.OPEN : time("execute_end_ts", executionEnd));
    }
    Coordinates at = coordinates();
    int place = lastPlace;
    int first = chunk.rows();
    if (enqueue != Nanos.UNKNOWN) {
      chunk.add(0, POINT, name("enqueued"), enqueue, Nanos.UNKNOWN, place, -1, offset);
    }
    for (int i = 0; i < phases.count(); i++) {
      long to = phases.end(i);
      byte kind = to == Nanos.OPEN ? UNENDED : CLOSED;
      chunk.add(0, kind, phases.name(i), phases.start(i), to, place, -1, offset);
    }
    if (chunk.rows() == first) {
      // Nothing ever ran; this leads back to the line.
      chunk.add(0, POINT, name("submitted"), submit, Nanos.UNKNOWN, place, -1, offset);
    }
    // Accepted rows are decided when they are finalised; the other words are only written then.
    Status said = SessionStatus.ofWord(status);
    Status verdict = said == Status.ACCEPTED && end == Nanos.UNKNOWN ? null : said;
    boolean relative = submitted < LEAST_EPOCH_S;
    chunk.session(
        new SessionFacts(
            key(),
            null,
            task,
            at.worker().label(),
            at,
            submit,
            end,
            verdict,
            reason,
            RewardAndTokens.NONE,
            relative),
        first);
  }

  /** Rows of a file differ in little but their status. */
  private Coordinates coordinates() {
    Worker worker = lastAt.worker();
    boolean same =
        lastPlace >= 0
            && Objects.equals(status, lastAt.sourceStatus())
            && Objects.equals(rank, worker.rank())
            && Objects.equals(role, worker.role());
    if (!same) {
      lastAt = new Coordinates(null, null, null, null, null, null, new Worker(role, rank), status);
      lastPlace = words.coordinates.intern(lastAt);
    }
    return lastAt;
  }

  private int name(String phase) {
    return words.names.intern(new SpanName(phase, phase));
  }

  private String key() {
    StringBuilder key = new StringBuilder(24);
    if (role != null) {
      key.append('[').append(role).append(']');
    }
    key.append('r');
    appendOrUnknown(key, rank);
    key.append("-t");
    appendOrUnknown(key, task);
    return key.append("-s").append(session).toString();
  }

  private static void appendOrUnknown(StringBuilder key, Object part) {
    if (part == null) {
      key.append('?');
    } else {
      key.append(part);
    }
  }

  private static long time(String field, double seconds) throws BadLineException {
    long nanos = Nanos.fromSeconds(seconds);
    if (nanos == Nanos.UNKNOWN) {
      throw BadLineException.expected(
          field, Double.toString(seconds), "seconds within 146 years of 1970");
    }
    return nanos;
  }
}
