package io.rollscope.formats.xtuner;

import ch.randelshofer.fastdoubleparser.JsonDoubleParser;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Worker;
import io.rollscope.core.table.Dictionary;
import io.rollscope.formats.scan.BadLineException;
import io.rollscope.formats.scan.JsonScanner;
import io.rollscope.formats.scan.Literal;
import io.rollscope.formats.scan.PlainText;
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
  private static final Literal TRACE_ID = new Literal("{\"trace_id\":\"");
  private static final Literal STAGE = new Literal("\",\"stage\":\"");
  private static final Literal TIMESTAMP = new Literal("\",\"timestamp_s\":");
  private static final Literal STATUS = new Literal(",\"status\":");
  private static final Literal TASK_NAME = new Literal(",\"task_name\":");
  private static final byte[] UID = XTunerParser.ascii(",\"uid\":");
  private static final Literal SESSION_UID = new Literal(",\"session_uid\":");
  private static final Literal TRAIN_STEP = new Literal(",\"train_step\":");
  private static final Literal MODEL_STEP = new Literal(",\"model_step\":");
  private static final Literal FUTURE_STEP = new Literal(",\"producer_future_step\":");
  private static final Literal BATCH = new Literal(",\"produce_batch_id\":");
  private static final Literal WORKER_RANK = new Literal(",\"worker_rank\":");
  private static final Literal ELAPSED = new Literal(",\"elapsed_s\":");
  private static final Literal ERROR = new Literal(",\"error_msg\":");

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

  private byte[] lastTail = new byte[0];
  private int lastTailId = -1;

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
    if (!uidKey() || !id() || !literal(SESSION_UID) || !id()) {
      return false;
    }
    int tailFrom = p;
    boolean sameTail =
        to - p >= lastTail.length
            && Arrays.equals(b, p, p + lastTail.length, lastTail, 0, lastTail.length)
            && ELAPSED.isAt(b, p + lastTail.length, to)
            && lastTailId >= 0;
    if (sameTail) {
      p += lastTail.length;
    } else if (!stepOverTail()) {
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
    double seconds;
    double elapsedSeconds = Double.NaN;
    try {
      seconds = seconds(timeFrom, timeTo);
      if (elapsedFrom != elapsedTo) {
        elapsedSeconds = seconds(elapsedFrom, elapsedTo);
      }
    } catch (NumberFormatException e) {
      return false;
    }
    if (Double.isInfinite(seconds) || Double.isInfinite(elapsedSeconds)) {
      return false;
    }
    long time = XTunerParser.time(seconds);
    long elapsed = XTunerParser.elapsed(elapsedSeconds);
    int tail = sameTail ? lastTailId : tail(tailFrom, tailTo);
    int at = coordinates(head(headFrom, headTo), tail);
    int note = errorFrom == errorTo ? -1 : parser.note(b, errorFrom, errorTo);
    int stage = parser.stage(b, stageFrom, stageTo);
    int session = parser.session(b, traceFrom, traceTo);
    parser.add(session, stage, time, elapsed, at, note, offset);
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
    if (id == headValues.size()) {
      headValues.add(null);
    }
    if (headValues.get(id) == null) {
      headValues.set(id, parse(from, end));
    }
    return id;
  }

  /** Bytes that turn out to be wrong stay without a value, so that they are refused each time. */
  private int tail(int from, int end) throws BadLineException {
    int id = tails.intern(b, from, end - from);
    if (id == tailValues.size()) {
      tailValues.add(null);
    }
    if (tailValues.get(id) == null) {
      tailValues.set(id, parse(from, end));
    }
    lastTail = Arrays.copyOfRange(b, from, end);
    lastTailId = id;
    return id;
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

  private boolean literal(Literal expected) {
    if (!expected.isAt(b, p, to)) {
      return false;
    }
    p += expected.length();
    return true;
  }

  private boolean uidKey() {
    int length = UID.length;
    for (int i = 0; i < length; i++) {
      if (p + i >= to || b[p + i] != UID[i]) {
        return false;
      }
    }
    p += length;
    return true;
  }

  /** To the closing quote, which is left; false at an escape or control character. */
  private boolean textInside() {
    int end = PlainText.end(b, p, to);
    valueFrom = p;
    valueTo = end;
    p = end;
    return end >= 0;
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
    if (to - p < 4 || b[p] != 'n' || b[p + 1] != 'u' || b[p + 2] != 'l' || b[p + 3] != 'l') {
      return false;
    }
    p += 4;
    return true;
  }

  /** The number parser takes {@code 01}, {@code .5} and {@code 1.}, which are no JSON. */
  private boolean number() {
    int digit = p < to && b[p] == '-' ? p + 1 : p;
    boolean plain = isDigit(digit) && !(b[digit] == '0' && isDigit(digit + 1));
    int i = p;
    while (i < to && (b[i] >= '0' && b[i] <= '9' || b[i] == '.' || b[i] == '-' || b[i] == 'e')) {
      plain &= b[i] != '.' || isDigit(i + 1);
      i++;
    }
    valueFrom = p;
    valueTo = i;
    p = i;
    return plain && valueTo - valueFrom < 32;
  }

  private boolean isDigit(int at) {
    return at < to && b[at] >= '0' && b[at] <= '9';
  }

  private boolean numberOrNull() {
    return p < to && b[p] == 'n' ? nothing() : number();
  }

  private boolean integerOrNull() {
    if (p < to && b[p] == 'n') {
      return nothing();
    }
    int i = p;
    while (i < to && b[i] >= '0' && b[i] <= '9') {
      i++;
    }
    boolean plain = i > p && i - p <= 40 && (b[p] != '0' || i == p + 1);
    p = i;
    return plain;
  }

  private boolean id() {
    return p < to && b[p] == '"' ? textOrNull() : integerOrNull();
  }
}
