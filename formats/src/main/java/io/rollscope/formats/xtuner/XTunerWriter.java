package io.rollscope.formats.xtuner;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Event;
import io.rollscope.core.model.Outcome;
import io.rollscope.formats.json.JsonLinesFile;
import io.rollscope.formats.json.JsonText;
import io.rollscope.formats.json.PythonFloat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Writes the producer trace of one process as XTuner pull request 1891 does: {@code
 * producer_trace_<pid>_<seq4>_<shard6>.jsonl}, all 14 fields on every line.
 *
 * <p>Session ids must read {@code task_name:uid}. A uid of up to 39 digits is written as an
 * integer. The routing id {@code session_uid} equals a uid that was counted up, as in XTuner's
 * deterministic mode, and is null for a random 128-bit one. Not safe for use by several threads.
 */
public final class XTunerWriter implements AutoCloseable {
  /** Where a shard ends in XTuner. */
  public static final long DEFAULT_SHARD_BYTES = 256L << 20;

  private static final int MAX_UID_DIGITS = 39;
  private static final int MAX_COUNTED_UID_DIGITS = 18;
  private static final int MAX_ERROR_CHARS = 500;

  private static final byte[] TRACE_ID = ascii("{\"trace_id\":");
  private static final byte[] STAGE = ascii(",\"stage\":\"");
  private static final byte[] TIMESTAMP = ascii("\",\"timestamp_s\":");
  private static final byte[] STATUS = ascii(",\"status\":");
  private static final byte[] TASK_NAME = ascii(",\"task_name\":");
  private static final byte[] UID = ascii(",\"uid\":");
  private static final byte[] SESSION_UID = ascii(",\"session_uid\":");
  private static final byte[] TRAIN_STEP = ascii(",\"train_step\":");
  private static final byte[] MODEL_STEP = ascii(",\"model_step\":");
  private static final byte[] FUTURE_STEP = ascii(",\"producer_future_step\":");
  private static final byte[] BATCH_ID = ascii(",\"produce_batch_id\":");
  private static final byte[] WORKER_RANK = ascii(",\"worker_rank\":");
  private static final byte[] ELAPSED = ascii(",\"elapsed_s\":");
  private static final byte[] ERROR = ascii(",\"error_msg\":");
  private static final byte[] BATCH_TRAIN_STEP = ascii("\"train_step=");
  private static final byte[] BATCH_MODEL_STEP = ascii("/model_step=");
  private static final byte[] BATCH_FUTURE_STEP = ascii("/producer_future_step=");
  private static final byte[] BATCH_NONE = ascii("none");

  private final Path folder;
  private final long pid;
  private final int sequence;
  private final long shardBytes;
  private final JsonText line = new JsonText();
  private JsonLinesFile shard;
  private int shardIndex;

  /** The first writer of a process, with XTuner's shard size. */
  public XTunerWriter(Path folder, long pid) {
    this(folder, pid, 1, DEFAULT_SHARD_BYTES);
  }

  /**
   * Nothing is created before the first line.
   *
   * @param sequence which writer of its process it is, from 1
   * @param shardBytes a shard ends before the line that would take it over this size
   */
  public XTunerWriter(Path folder, long pid, int sequence, long shardBytes) {
    if (sequence < 1) {
      throw new IllegalArgumentException("sequence: " + sequence + " (expected: >= 1)");
    }
    if (shardBytes < 1) {
      throw new IllegalArgumentException("shardBytes: " + shardBytes + " (expected: >= 1)");
    }
    this.folder = folder;
    this.pid = pid;
    this.sequence = sequence;
    this.shardBytes = shardBytes;
  }

  /** Writes one line. A point becomes a stage without suffix. */
  public void write(Event event) throws IOException {
    double time = PythonFloat.seconds(event.timeNs());
    if (event instanceof Event.Start start) {
      append(start.session(), start.name(), ".start", time, start.at(), Double.NaN, null);
    } else if (event instanceof Event.End end) {
      append(
          end.session(),
          end.name(),
          suffix(end.outcome()),
          time,
          end.at(),
          PythonFloat.seconds(end.elapsedNs()),
          end.error());
    } else {
      append(event.session(), event.name(), "", time, event.at(), Double.NaN, null);
    }
  }

  /** Makes every line visible to a reader that follows the files. */
  public void flush() throws IOException {
    if (shard != null) {
      shard.flush();
    }
  }

  @Override
  public void close() throws IOException {
    if (shard != null) {
      shard.close();
      shard = null;
    }
  }

  /** The line of raw values; an elapsed time that is not a number is unknown. */
  void append(
      String session,
      String name,
      String suffix,
      double time,
      Coordinates at,
      double elapsed,
      String error)
      throws IOException {
    int colon = session.lastIndexOf(':');
    if (colon < 0 || colon == session.length() - 1) {
      throw new IllegalArgumentException("session: " + session + " (expected: task_name:uid)");
    }
    line.clear();
    line.raw(TRACE_ID).string(session);
    line.raw(STAGE).inside(name).inside(suffix);
    line.raw(TIMESTAMP).number(time);
    line.raw(STATUS).string(at.sourceStatus());
    line.raw(TASK_NAME).string(at.taskName());
    appendUids(session, colon + 1);
    line.raw(TRAIN_STEP).number(at.trainStep());
    line.raw(MODEL_STEP).number(at.modelStep());
    line.raw(FUTURE_STEP).number(at.futureStep());
    line.raw(BATCH_ID);
    appendBatch(at);
    line.raw(WORKER_RANK).number(at.worker().rank());
    line.raw(ELAPSED);
    if (Double.isNaN(elapsed)) {
      line.none();
    } else {
      line.number(elapsed);
    }
    line.raw(ERROR).string(error == null ? null : shortened(error)).raw('}');
    commit();
  }

  private void appendUids(String session, int from) {
    line.raw(UID);
    if (!isInteger(session, from)) {
      line.raw('"').inside(session, from).raw('"').raw(SESSION_UID).none();
      return;
    }
    line.inside(session, from).raw(SESSION_UID);
    if (session.length() - from <= MAX_COUNTED_UID_DIGITS) {
      line.inside(session, from);
    } else {
      line.none();
    }
  }

  private static boolean isInteger(String text, int from) {
    int length = text.length() - from;
    if (length > MAX_UID_DIGITS || (text.charAt(from) == '0' && length > 1)) {
      return false;
    }
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  private void appendBatch(Coordinates at) {
    if (at.batch() != null) {
      line.string(at.batch());
    } else if (at.trainStep() == null && at.modelStep() == null && at.futureStep() == null) {
      line.none();
    } else {
      appendBatchPart(BATCH_TRAIN_STEP, at.trainStep());
      appendBatchPart(BATCH_MODEL_STEP, at.modelStep());
      appendBatchPart(BATCH_FUTURE_STEP, at.futureStep());
      line.raw('"');
    }
  }

  private void appendBatchPart(byte[] label, Long step) {
    line.raw(label);
    if (step == null) {
      line.raw(BATCH_NONE);
    } else {
      line.number(step);
    }
  }

  private void commit() throws IOException {
    if (shard == null) {
      shard = new JsonLinesFile(folder.resolve(fileName()));
    }
    while (shard.size() > 0 && shard.size() + line.length() + 1 > shardBytes) {
      shard.close();
      shardIndex++;
      shard = new JsonLinesFile(folder.resolve(fileName()));
    }
    shard.append(line);
  }

  private String fileName() {
    return String.format(
        Locale.ROOT, "producer_trace_%d_%04d_%06d.jsonl", pid, sequence, shardIndex);
  }

  private static String suffix(Outcome outcome) {
    return switch (outcome) {
      case OK -> ".end";
      case ERROR, CANCELLED -> ".error";
      case OPEN, LOST ->
          throw new IllegalArgumentException(
              "outcome: " + outcome + " (expected: one of a span that has ended)");
    };
  }

  private static String shortened(String error) {
    if (error.length() <= MAX_ERROR_CHARS
        || error.codePointCount(0, error.length()) <= MAX_ERROR_CHARS) {
      return error;
    }
    return error.substring(0, error.offsetByCodePoints(0, MAX_ERROR_CHARS - 3)) + "...";
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
