package io.rollscope.formats.xtuner;

import ch.randelshofer.fastdoubleparser.JsonDoubleParser;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Worker;
import io.rollscope.core.table.Dictionary;
import io.rollscope.formats.scan.BadLineException;
import io.rollscope.formats.scan.JsonScanner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The fast way through a line in exactly the layout XTuner's recorder writes: all fourteen keys in
 * order, no spaces, no escapes. Status and task, and steps, batch and worker repeat from line to
 * line: their bytes are looked up as a whole and read only when new. At the first surprise the line
 * is left to the general reader.
 */
final class PlainLine {
  private static final byte[] TRACE_ID = XTunerParser.ascii("{\"trace_id\":\"");
  private static final byte[] STAGE = XTunerParser.ascii("\",\"stage\":\"");
  private static final byte[] TIMESTAMP = XTunerParser.ascii("\",\"timestamp_s\":");
  private static final byte[] STATUS = XTunerParser.ascii(",\"status\":");
  private static final byte[] TASK_NAME = XTunerParser.ascii(",\"task_name\":");
  private static final byte[] UID = XTunerParser.ascii(",\"uid\":");
  private static final byte[] SESSION_UID = XTunerParser.ascii(",\"session_uid\":");
  private static final byte[] TRAIN_STEP = XTunerParser.ascii(",\"train_step\":");
  private static final byte[] MODEL_STEP = XTunerParser.ascii(",\"model_step\":");
  private static final byte[] FUTURE_STEP = XTunerParser.ascii(",\"producer_future_step\":");
  private static final byte[] BATCH = XTunerParser.ascii(",\"produce_batch_id\":");
  private static final byte[] WORKER_RANK = XTunerParser.ascii(",\"worker_rank\":");
  private static final byte[] ELAPSED = XTunerParser.ascii(",\"elapsed_s\":");
  private static final byte[] ERROR = XTunerParser.ascii(",\"error_msg\":");
  private static final byte[] NULL = XTunerParser.ascii("null");

  /** With more combinations than this the general reader takes over: memory stays bounded. */
  private static final int MAX_HEADS = 1024;

  private static final int MAX_TAILS = 1 << 16;

  private final XTunerParser parser;
  private final JsonScanner scanner = new JsonScanner();
  private byte[] b;
  private int p;
  private int to;

  /** Inside of the text, or the number, stepped over last. */
  private int valueFrom;

  private int valueTo;

  /** Bytes of status and task name. */
  private final Dictionary heads = new Dictionary();

  private final List<Coordinates> headValues = new ArrayList<>();

  /** Bytes of steps, batch and worker. */
  private final Dictionary tails = new Dictionary();

  private final List<Coordinates> tailValues = new ArrayList<>();

  /** Per head and tail: number of the coordinates + 1, or 0. */
  private int[][] combined = new int[16][];

  PlainLine(XTunerParser parser) {
    this.parser = parser;
  }

  /** Whether the line was taken. */
  boolean take(byte[] buffer, int from, int end, long offset) throws BadLineException {
    b = buffer;
    p = from;
    to = end;
    if (!literal(TRACE_ID) || !textInside()) {
      return false;
    }
    int traceFrom = valueFrom;
    int traceTo = valueTo;
    if (!literal(STAGE) || !textInside()) {
      return false;
    }
    int stageFrom = valueFrom;
    int stageTo = valueTo;
    if (!literal(TIMESTAMP) || !number()) {
      return false;
    }
    int timeFrom = valueFrom;
    int timeTo = valueTo;
    int headFrom = p;
    if (!literal(STATUS) || !textOrNull() || !literal(TASK_NAME) || !textOrNull()) {
      return false;
    }
    int headTo = p;
    if (!literal(UID) || !id() || !literal(SESSION_UID) || !id()) {
      return false;
    }
    int tailFrom = p;
    if (!stepOverTail()) {
      return false;
    }
    int tailTo = p;
    if (!literal(ELAPSED) || !numberOrNull()) {
      return false;
    }
    int elapsedFrom = valueFrom;
    int elapsedTo = valueTo;
    if (!literal(ERROR) || !textOrNull()) {
      return false;
    }
    int errorFrom = valueFrom;
    int errorTo = valueTo;
    if (p + 1 != to || b[p] != '}') {
      return false;
    }
    if (heads.size() > MAX_HEADS || tails.size() > MAX_TAILS) {
      return false;
    }
    long time;
    long elapsed;
    try {
      time = XTunerParser.time(seconds(timeFrom, timeTo));
      elapsed =
          XTunerParser.elapsed(
              elapsedFrom == elapsedTo ? Double.NaN : seconds(elapsedFrom, elapsedTo));
    } catch (NumberFormatException e) {
      return false;
    }
    int at = coordinates(head(headFrom, headTo), tail(tailFrom, tailTo));
    int note = errorFrom == errorTo ? -1 : parser.note(b, errorFrom, errorTo);
    int stage = parser.stage(b, stageFrom, stageTo);
    parser.add(parser.session(b, traceFrom, traceTo), stage, time, elapsed, at, note, offset);
    return true;
  }

  private double seconds(int from, int end) {
    return JsonDoubleParser.parseDouble(b, from, end - from);
  }

  private boolean stepOverTail() {
    return literal(TRAIN_STEP)
        && integerOrNull()
        && literal(MODEL_STEP)
        && integerOrNull()
        && literal(FUTURE_STEP)
        && integerOrNull()
        && literal(BATCH)
        && textOrNull()
        && literal(WORKER_RANK)
        && integerOrNull();
  }

  // ---- repeated bytes --------------------------------------------------------------------------

  private int head(int from, int end) throws BadLineException {
    int id = heads.intern(b, from, end - from);
    read(headValues, id, from, end);
    return id;
  }

  private int tail(int from, int end) throws BadLineException {
    int id = tails.intern(b, from, end - from);
    read(tailValues, id, from, end);
    return id;
  }

  /** Bytes that turn out to be bad keep their number, without a value. */
  private void read(List<Coordinates> values, int id, int from, int end) throws BadLineException {
    if (id == values.size()) {
      values.add(null);
    }
    if (values.get(id) == null) {
      values.set(id, parse(from, end));
    }
  }

  /** Reads the keys between two commas as an object of their own. */
  private Coordinates parse(int from, int end) throws BadLineException {
    byte[] object = new byte[end - from + 1];
    System.arraycopy(b, from, object, 0, end - from);
    object[0] = '{';
    object[end - from] = '}';
    scanner.open(object, 0, object.length);
    return XTunerParser.readCoordinates(scanner);
  }

  private int coordinates(int head, int tail) {
    if (head >= combined.length) {
      combined = Arrays.copyOf(combined, head * 2);
    }
    int[] row = combined[head];
    if (row == null || tail >= row.length) {
      row = row == null ? new int[tail + 16] : Arrays.copyOf(row, tail * 2);
      combined[head] = row;
    }
    if (row[tail] == 0) {
      Coordinates h = headValues.get(head);
      Coordinates t = tailValues.get(tail);
      row[tail] =
          1
              + parser.coordinates(
                  new Coordinates(
                      t.batch(),
                      t.trainStep(),
                      t.modelStep(),
                      t.futureStep(),
                      null,
                      h.taskName(),
                      new Worker(null, t.worker().rank()),
                      h.sourceStatus()));
    }
    return row[tail] - 1;
  }

  // ---- stepping --------------------------------------------------------------------------------

  private boolean literal(byte[] expected) {
    int length = expected.length;
    if (to - p < length || !Arrays.equals(b, p, p + length, expected, 0, length)) {
      return false;
    }
    p += length;
    return true;
  }

  /** To the closing quote, which is left; false at an escape or control character. */
  private boolean textInside() {
    int i = p;
    while (i < to && b[i] != '"') {
      if (b[i] == '\\' || (b[i] >= 0 && b[i] < 0x20)) {
        return false;
      }
      i++;
    }
    valueFrom = p;
    valueTo = i;
    p = i;
    return i < to;
  }

  private boolean textOrNull() {
    if (p < to && b[p] == '"') {
      p++;
      boolean whole = textInside();
      p++;
      return whole;
    }
    return nothing();
  }

  private boolean nothing() {
    valueFrom = p;
    valueTo = p;
    return literal(NULL);
  }

  /** Only what JSON calls a number: the parser behind it would take {@code 01} and {@code 1.} */
  private boolean number() {
    valueFrom = p;
    int from = p < to && b[p] == '-' ? p + 1 : p;
    int i = digits(from);
    boolean whole = i > from && (b[from] != '0' || i == from + 1);
    if (i < to && b[i] == '.') {
      from = i + 1;
      i = digits(from);
      whole &= i > from;
    }
    if (i < to && b[i] == 'e') {
      from = i + 1 < to && b[i + 1] == '-' ? i + 2 : i + 1;
      i = digits(from);
      whole &= i > from;
    }
    valueTo = i;
    p = i;
    return whole && valueTo - valueFrom < 32;
  }

  private int digits(int from) {
    int i = from;
    while (i < to && b[i] >= '0' && b[i] <= '9') {
      i++;
    }
    return i;
  }

  private boolean numberOrNull() {
    return p < to && b[p] == 'n' ? nothing() : number();
  }

  private boolean integerOrNull() {
    if (p < to && b[p] == 'n') {
      return nothing();
    }
    int i = digits(p);
    boolean plain = i > p && i - p <= 40 && (b[p] != '0' || i == p + 1);
    p = i;
    return plain;
  }

  private boolean id() {
    return p < to && b[p] == '"' ? textOrNull() : integerOrNull();
  }
}
