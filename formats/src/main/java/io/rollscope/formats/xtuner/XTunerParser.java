package io.rollscope.formats.xtuner;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Worker;
import io.rollscope.core.session.GroupMark;
import io.rollscope.core.table.Chunk;
import io.rollscope.core.table.Dictionary;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.table.SpanTable;
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

  private static final byte ERROR_END = RowKind.of(RowKind.END, Outcome.ERROR, Kind.PHASE);
  private static final byte CANCELLED_END = RowKind.of(RowKind.END, Outcome.CANCELLED, Kind.PHASE);

  private final Chunk.Words words = new Chunk.Words();
  private final Chunk chunk = new Chunk(words);
  private final JsonScanner scanner = new JsonScanner();
  private final PlainLine plain = new PlainLine(this);

  /** What a stage text means: the span it is about and what happened to it. */
  private record Meaning(int name, byte kind, boolean groupStart) {}

  /** A session of a group begins to generate. */
  private record GroupStart(int row, int session, int at, long time) {}

  private final List<GroupStart> groupStarts = new ArrayList<>();

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
    SpanTable table = runs.run(file.run()).table();
    table.append(chunk, file.number());
    if (chunk.rows() > 0) {
      inferGroups(table);
    }
    chunk.clear();
    groupStarts.clear();
  }

  private void inferGroups(SpanTable table) {
    if (file.memory() == null) {
      file.keep(new InferredGroups());
    }
    InferredGroups groups = (InferredGroups) file.memory();
    int next = 0;
    for (GroupStart start : groupStarts) {
      groups.passOver(start.row() - next);
      next = start.row() + 1;
      String session = words.sessions.text(start.session());
      String group = groups.groupOf(session, words.coordinates.get(start.at()), start.time());
      table.inferGroup(table.findSession(session), group, start.time());
    }
    groups.passOver(chunk.rows() - next);
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
    long time = time(fields.timestamp);
    long elapsed = elapsed(fields.elapsed);
    byte[] stageText = fields.stage.getBytes(StandardCharsets.UTF_8);
    int stage = stage(stageText, 0, stageText.length);
    // Last, so that a line that is refused leaves no session behind.
    byte[] id = fields.trace.getBytes(StandardCharsets.UTF_8);
    add(
        session(id, 0, id.length),
        stage,
        time,
        elapsed,
        coordinates(fields.coordinates()),
        fields.error == null || fields.error.isEmpty() ? -1 : words.notes.intern(fields.error),
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
      String key = scanner.key();
      if (scanner.nullValue()) {
        continue;
      }
      switch (key) {
        case "trace_id" -> f.trace = scanner.scalar(key);
        case "stage" -> f.stage = scanner.scalar(key);
        case "timestamp_s" -> f.timestamp = scanner.numberOrText(key);
        case "status" -> f.status = scanner.string(key);
        case "task_name" -> f.taskName = scanner.string(key);
        case "uid", "session_uid" -> scanner.scalar(key);
        case "train_step" -> f.train = scanner.integer(key);
        case "model_step" -> f.model = scanner.integer(key);
        case "producer_future_step" -> f.future = scanner.integer(key);
        case "produce_batch_id" -> f.batch = scanner.string(key);
        case "worker_rank" -> f.rank = scanner.integer(key);
        case "elapsed_s" -> f.elapsed = scanner.number(key);
        case "error_msg" -> f.error = scanner.string(key);
        default -> scanner.skip();
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
    boolean groupStart = form == RowKind.START && GroupMark.isGroupSpan(span);
    return new Meaning(name, RowKind.of(form, outcome, Kind.PHASE), groupStart);
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
    if (meaning.groupStart()) {
      groupStarts.add(new GroupStart(chunk.rows() - 1, session, at, time));
    }
  }
}
