package io.rollscope.formats.xtuner;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Worker;
import io.rollscope.core.table.Chunk;
import io.rollscope.core.table.Dictionary;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.time.Nanos;
import io.rollscope.formats.folder.LineParser;
import io.rollscope.formats.folder.Runs;
import io.rollscope.formats.folder.TraceFile;
import io.rollscope.formats.scan.BadLineException;
import io.rollscope.formats.scan.JsonScanner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads events of the producer trace. Lines are nearly always written in one layout; {@link
 * PlainLine} takes those in a few comparisons, and whatever does not fit goes through the scanner.
 */
final class XTunerParser implements LineParser {
  private static final int MAX_ID = 1 << 16;
  private static final byte[] TRACE_ID = ascii("trace_id");
  private static final byte[] STAGE = ascii("stage");
  private static final byte[] TIMESTAMP = ascii("timestamp_s");
  private static final byte[] STATUS = ascii("status");
  private static final byte[] TASK_NAME = ascii("task_name");
  private static final byte[] UID = ascii("uid");
  private static final byte[] SESSION_UID = ascii("session_uid");
  private static final byte[] TRAIN_STEP = ascii("train_step");
  private static final byte[] MODEL_STEP = ascii("model_step");
  private static final byte[] FUTURE_STEP = ascii("producer_future_step");
  private static final byte[] BATCH = ascii("produce_batch_id");
  private static final byte[] WORKER_RANK = ascii("worker_rank");
  private static final byte[] ELAPSED = ascii("elapsed_s");
  private static final byte[] ERROR = ascii("error_msg");

  private static final byte ERROR_END = RowKind.of(RowKind.END, Outcome.ERROR, Kind.PHASE);
  private static final byte CANCELLED_END = RowKind.of(RowKind.END, Outcome.CANCELLED, Kind.PHASE);

  private final Chunk.Words words = new Chunk.Words();
  private final Chunk chunk = new Chunk(words);
  private final JsonScanner scanner = new JsonScanner();
  private final PlainLine plain = new PlainLine(this);

  /** What a stage text means: the span it is about and what happened to it. */
  private record Meaning(int name, byte kind) {}

  private final Dictionary stages = new Dictionary();
  private final List<Meaning> meanings = new ArrayList<>();
  private TraceFile file;

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void begin(TraceFile file) {
    this.file = file;
  }

  @Override
  public void deliver(Runs runs) {
    runs.run(file.run()).table().append(chunk, file.number());
    chunk.clear();
  }

  @Override
  public void line(byte[] b, int from, int to, long offset) throws BadLineException {
    if (!plain.take(b, from, to, offset)) {
      anyLine(b, from, to, offset);
    }
  }

  private void anyLine(byte[] b, int from, int to, long offset) throws BadLineException {
    Fields fields = new Fields();
    scanner.open(b, from, to);
    read(scanner, fields);
    require(fields.trace != null, "trace_id");
    require(fields.stage != null, "stage");
    require(!Double.isNaN(fields.timestamp), "timestamp_s");
    byte[] id = fields.trace.getBytes(StandardCharsets.UTF_8);
    byte[] stage = fields.stage.getBytes(StandardCharsets.UTF_8);
    long time = time(fields.timestamp);
    long elapsed = elapsed(fields.elapsed);
    int stageNumber = stage(stage, 0, stage.length);
    // Last: once it has a number, a session exists, even if the line is refused after all.
    int session = session(id, 0, id.length);
    add(
        session,
        stageNumber,
        time,
        elapsed,
        coordinates(fields.coordinates()),
        fields.error == null ? -1 : words.notes.intern(fields.error),
        offset);
  }

  /** The coordinates said by an object that has only some of the keys. */
  static Coordinates readCoordinates(JsonScanner scanner) throws BadLineException {
    Fields fields = new Fields();
    read(scanner, fields);
    return fields.coordinates();
  }

  private static final class Fields {
    String trace;
    String stage;
    double timestamp = Double.NaN;
    String status;
    String taskName;
    Long train;
    Long model;
    Long future;
    String batch;
    Long rank;
    double elapsed = Double.NaN;
    String error;

    Coordinates coordinates() {
      return new Coordinates(
          batch, train, model, future, null, taskName, new Worker(null, rank), status);
    }
  }

  private static void read(JsonScanner scanner, Fields f) throws BadLineException {
    scanner.beginObject();
    while (scanner.nextKey()) {
      if (scanner.nullValue()) {
        continue;
      }
      if (scanner.keyIs(TRACE_ID)) {
        f.trace = scanner.scalar("trace_id");
      } else if (scanner.keyIs(STAGE)) {
        f.stage = scanner.scalar("stage");
      } else if (scanner.keyIs(TIMESTAMP)) {
        f.timestamp = scanner.numberOrText("timestamp_s");
      } else if (scanner.keyIs(STATUS)) {
        f.status = scanner.string("status");
      } else if (scanner.keyIs(TASK_NAME)) {
        f.taskName = scanner.string("task_name");
      } else if (scanner.keyIs(UID)) {
        scanner.scalar("uid");
      } else if (scanner.keyIs(SESSION_UID)) {
        scanner.scalar("session_uid");
      } else if (scanner.keyIs(TRAIN_STEP)) {
        f.train = scanner.integer("train_step");
      } else if (scanner.keyIs(MODEL_STEP)) {
        f.model = scanner.integer("model_step");
      } else if (scanner.keyIs(FUTURE_STEP)) {
        f.future = scanner.integer("producer_future_step");
      } else if (scanner.keyIs(BATCH)) {
        f.batch = scanner.string("produce_batch_id");
      } else if (scanner.keyIs(WORKER_RANK)) {
        f.rank = scanner.integer("worker_rank");
      } else if (scanner.keyIs(ELAPSED)) {
        f.elapsed = scanner.number("elapsed_s");
      } else if (scanner.keyIs(ERROR)) {
        f.error = scanner.string("error_msg");
      } else {
        scanner.skip();
      }
    }
    scanner.finish();
  }

  private static void require(boolean present, String field) throws BadLineException {
    if (!present) {
      throw new BadLineException("no " + field + " (expected: trace_id, stage and timestamp_s)");
    }
  }

  int session(byte[] b, int from, int to) throws BadLineException {
    if (to - from > MAX_ID) {
      throw new BadLineException(
          "trace_id: " + (to - from) + " bytes (expected: at most " + MAX_ID + ")");
    }
    return words.sessions.intern(b, from, to - from);
  }

  /** Number of a stage text. */
  int stage(byte[] b, int from, int to) throws BadLineException {
    if (to - from > MAX_ID) {
      throw new BadLineException(
          "stage: " + (to - from) + " bytes (expected: at most " + MAX_ID + ")");
    }
    int id = stages.intern(b, from, to - from);
    if (id == meanings.size()) {
      meanings.add(meaning(stages.text(id)));
    }
    return id;
  }

  private Meaning meaning(String stage) {
    if (stage.endsWith(".start")) {
      return meaning(stage, 6, RowKind.START, Outcome.OPEN);
    }
    if (stage.endsWith(".end")) {
      return meaning(stage, 4, RowKind.END, Outcome.OK);
    }
    if (stage.endsWith(".error")) {
      return meaning(stage, 6, RowKind.END, Outcome.ERROR);
    }
    return meaning(stage, 0, RowKind.POINT, Outcome.OK);
  }

  private Meaning meaning(String stage, int suffix, int form, Outcome outcome) {
    String span = stage.substring(0, stage.length() - suffix);
    int name = words.names.intern(new SpanName(span, XTunerFormat.stageOf(span)));
    return new Meaning(name, RowKind.of(form, outcome, Kind.PHASE));
  }

  static long time(double seconds) throws BadLineException {
    long nanos = Nanos.fromSeconds(seconds);
    if (nanos == Nanos.UNKNOWN) {
      throw BadLineException.expected(
          "timestamp_s", Double.toString(seconds), "seconds within 146 years of 1970");
    }
    return nanos;
  }

  static long elapsed(double seconds) throws BadLineException {
    if (Double.isNaN(seconds)) {
      return Nanos.UNKNOWN;
    }
    long nanos = Nanos.fromSeconds(seconds);
    if (nanos == Nanos.UNKNOWN) {
      throw BadLineException.expected(
          "elapsed_s", Double.toString(seconds), "seconds below 146 years");
    }
    return nanos;
  }

  private boolean isCancellation(int note) {
    return note >= 0 && words.notes.word(note).startsWith("CancelledError");
  }

  int coordinates(Coordinates at) {
    return words.coordinates.intern(at);
  }

  int note(byte[] b, int from, int to) {
    return words.notes.intern(b, from, to - from);
  }

  void add(int session, int stage, long time, long elapsed, int at, int note, long offset) {
    Meaning meaning = meanings.get(stage);
    byte kind =
        meaning.kind() == ERROR_END && isCancellation(note) ? CANCELLED_END : meaning.kind();
    chunk.add(session, kind, meaning.name(), time, elapsed, at, note, offset);
  }
}
