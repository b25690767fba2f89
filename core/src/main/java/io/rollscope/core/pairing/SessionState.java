package io.rollscope.core.pairing;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.core.session.SessionStatus;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;

/**
 * What is known of a session as a whole, told from its rows: the last word on each thing wins.
 *
 * @param status where it stands
 * @param sourceStatus the source's own word, or null
 * @param at newest known coordinates, each field by itself
 * @param reason why it ended so: the source's reason, else the error of its last span; or null
 */
public record SessionState(Status status, String sourceStatus, Coordinates at, String reason) {

  /** Tells it for the session loaded in {@code spans}. */
  public static SessionState of(SessionSpans spans) {
    SpanTable table = spans.table();
    Coordinates at = newestCoordinates(spans);
    Status status = statusOf(spans, at.sourceStatus());
    String reason = table.reason(spans.session());
    if (reason == null && status == Status.FAILED) {
      reason = lastError(spans);
    }
    return new SessionState(status, at.sourceStatus(), at, reason);
  }

  /** Only the status, for the session loaded in {@code spans}. */
  public static Status statusOf(SessionSpans spans) {
    return statusOf(spans, sourceWord(spans));
  }

  private static String sourceWord(SessionSpans spans) {
    SpanTable table = spans.table();
    int told = table.hasParents() ? table.sessionCoordinates(spans.session()) : -1;
    if (told >= 0) {
      return table.coordinatesOf(told).sourceStatus();
    }
    for (int i = spans.rowCount(); i >= 0; i--) {
      int id = coordinatesAt(spans, i);
      if (id >= 0 && table.coordinatesOf(id).sourceStatus() != null) {
        return table.coordinatesOf(id).sourceStatus();
      }
    }
    int whole = table.sessionCoordinates(spans.session());
    return whole < 0 ? null : table.coordinatesOf(whole).sourceStatus();
  }

  /** Of the i-th row in time; one beyond the last stands for the row that happened last. */
  private static int coordinatesAt(SessionSpans spans, int i) {
    int row = i == spans.rowCount() ? spans.latestRow() : spans.row(i);
    return row < 0 ? -1 : spans.table().coordinates(row);
  }

  private static Status statusOf(SessionSpans spans, String word) {
    int lost = 0;
    int open = 0;
    int last = -1;
    boolean rootClosed = false;
    for (int i = 0; i < spans.count(); i++) {
      if (spans.outcome(i).isOpen()) {
        open++;
        lost += spans.outcome(i) == Outcome.LOST ? 1 : 0;
      } else {
        if (last < 0 || spans.end(i) >= spans.end(last)) {
          last = i;
        }
        rootClosed |= spans.hasParents() && spans.spanId(i) != 0 && spans.parentId(i) == 0;
      }
    }
    Outcome ended = last < 0 ? null : spans.outcome(last);
    Status closed = SessionStatus.whenClosed(word, ended, rootClosed);
    return SessionStatus.of(spans.table().verdict(spans.session()), open, lost, closed);
  }

  private static Coordinates newestCoordinates(SessionSpans spans) {
    SpanTable table = spans.table();
    int whole = table.sessionCoordinates(spans.session());
    if (whole >= 0 && table.hasParents()) {
      return table.coordinatesOf(whole); // Told from its spans already.
    }
    String batch = null;
    Long train = null;
    Long model = null;
    Long future = null;
    String task = table.task(spans.session());
    String taskName = null;
    Worker worker = Worker.UNKNOWN;
    String word = null;
    int previous = -1;
    for (int i = spans.rowCount(); i >= -1; i--) {
      int id = i >= 0 ? coordinatesAt(spans, i) : whole;
      if (id < 0 || id == previous) {
        continue;
      }
      previous = id;
      Coordinates c = table.coordinatesOf(id);
      batch = batch == null ? c.batch() : batch;
      train = train == null ? c.trainStep() : train;
      model = model == null ? c.modelStep() : model;
      future = future == null ? c.futureStep() : future;
      task = task == null ? c.task() : task;
      taskName = taskName == null ? c.taskName() : taskName;
      worker = worker.equals(Worker.UNKNOWN) ? c.worker() : worker;
      word = word == null ? c.sourceStatus() : word;
      boolean steps = train != null && model != null && future != null;
      if (steps && batch != null && taskName != null && word != null && worker.rank() != null) {
        break;
      }
    }
    return new Coordinates(batch, train, model, future, task, taskName, worker, word);
  }

  private static String lastError(SessionSpans spans) {
    String error = null;
    long latest = Nanos.UNKNOWN;
    for (int i = 0; i < spans.count(); i++) {
      if (spans.outcome(i) == Outcome.ERROR && spans.end(i) >= latest) {
        String text = spans.error(i);
        if (text != null) {
          error = text;
          latest = spans.end(i);
        }
      }
    }
    return error;
  }
}
