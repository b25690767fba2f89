package io.rollscope.store.hot;

import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.record.Said;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * What the spans of a session say of it as a whole: of two that say different things the one that
 * was last heard of holds, whenever it came in.
 *
 * @param verdict what was decided, or null
 * @param statusWhenClosed where it stands if nothing of it is open
 * @param submittedNs when its container began, or {@link Nanos#UNKNOWN}
 * @param finalisedNs when its fate was decided, or {@link Nanos#UNKNOWN}
 * @param firstNs earliest time of anything, or {@link Nanos#UNKNOWN}
 * @param lastNs latest time of anything, or {@link Nanos#UNKNOWN}
 * @param newestOpen the open span that started last, a container only if nothing else is open; or
 *     null
 * @param latest the span that something last happened to, or null
 */
public record SessionFacts(
    String traceId,
    String batch,
    Long trainStep,
    Long modelStep,
    Long futureStep,
    String task,
    String taskName,
    Worker worker,
    String sourceStatus,
    String reason,
    String clock,
    Status verdict,
    Status statusWhenClosed,
    long submittedNs,
    long finalisedNs,
    long firstNs,
    long lastNs,
    int openCount,
    int errorCount,
    HotSpan newestOpen,
    HotSpan latest) {

  /** What an open span says was said when it began. */
  private static final Comparator<HotSpan> OLDEST_FIRST =
      Comparator.comparingLong((HotSpan s) -> s.isOpen() ? s.told.startNs() : s.told.endNs())
          .thenComparingLong(s -> s.told.startNs())
          .thenComparing(s -> s.told.spanId(), Long::compareUnsigned);

  static SessionFacts of(HotSession session) {
    return new Reading(session).read();
  }

  /** The status a word stands for; null for none or an unknown one. */
  static Status status(String word) {
    if (word == null) {
      return null;
    }
    try {
      return Status.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static final class Reading {
    private final HotSession session;
    private String batch;
    private Long train;
    private Long model;
    private Long future;
    private String task;
    private String taskName;
    private String role;
    private Long rank;
    private String word;
    private String reason;
    private Status verdict;
    private long submitted = Nanos.UNKNOWN;
    private long finalised = Nanos.UNKNOWN;
    private long first = Nanos.UNKNOWN;
    private long last = Nanos.UNKNOWN;
    private int open;
    private int errors;
    private boolean rootClosed;
    private HotSpan newestOpen;
    private HotSpan lastClosed;
    private HotSpan lastError;
    private HotSpan latest;

    Reading(HotSession session) {
      this.session = session;
    }

    SessionFacts read() {
      List<HotSpan> sorted = new ArrayList<>(session.spans);
      sorted.sort(OLDEST_FIRST);
      for (HotSpan span : sorted) {
        hear(span.told.said(), span.told.kind());
        place(span);
      }
      errors += session.goneErrors;
      if (session.verdict != null) {
        Status decided = status(session.verdict.status());
        verdict = decided == null ? verdict : decided;
        reason = session.verdict.reason() == null ? reason : session.verdict.reason();
        finalised = Math.max(finalised, session.verdict.timeNs());
      }
      if (reason == null && lastError != null && hasFailed()) {
        reason = Errors.text(lastError.told);
      }
      return new SessionFacts(
          sorted.isEmpty() ? null : sorted.get(0).trace.id(),
          batch,
          train,
          model,
          future,
          task,
          taskName,
          new Worker(role, rank),
          word,
          reason,
          sorted.isEmpty() ? "utc" : sorted.get(0).told.origin().clock(),
          verdict,
          statusWhenClosed(),
          submitted,
          finalised,
          first,
          last,
          open,
          errors,
          newestOpen,
          latest);
    }

    private void hear(Said said, Kind kind) {
      batch = said.batch() == null ? batch : said.batch();
      train = said.trainStep() == null ? train : said.trainStep();
      model = said.modelStep() == null ? model : said.modelStep();
      future = said.futureStep() == null ? future : said.futureStep();
      task = said.task() == null ? task : said.task();
      taskName = said.taskName() == null ? taskName : said.taskName();
      role = said.workerRole() == null ? role : said.workerRole();
      rank = said.workerRank() == null ? rank : said.workerRank();
      reason = said.reason() == null ? reason : said.reason();
      word = said.sourceStatus() == null ? word : said.sourceStatus();
      if (kind == Kind.SESSION && said.status() != null) {
        Status decided = status(said.status());
        verdict = decided == null ? verdict : decided;
      }
    }

    private void place(HotSpan span) {
      long start = span.told.startNs();
      first = first == Nanos.UNKNOWN ? start : Math.min(first, start);
      if (span.isOpen()) {
        open++;
        happened(span, start);
        if (newestOpen == null || isNewer(span, newestOpen)) {
          newestOpen = span;
        }
      } else {
        long end = span.told.endNs();
        happened(span, end);
        lastClosed = span;
        rootClosed |= span.told.parentId() == 0 && span.recordsParents();
        if (span.told.outcome() == Outcome.ERROR) {
          errors++;
          lastError = span;
        }
      }
      if (span.told.kind() == Kind.SESSION) {
        submitted = submitted == Nanos.UNKNOWN ? start : Math.min(submitted, start);
        finalised = span.isOpen() ? Nanos.UNKNOWN : span.told.endNs();
      }
    }

    /** Work tells more of where a session stands than what is around it. */
    private static boolean isNewer(HotSpan span, HotSpan than) {
      boolean container = span.told.kind().isContainer();
      return container == than.told.kind().isContainer()
          ? span.told.startNs() > than.told.startNs()
          : !container;
    }

    private void happened(HotSpan span, long when) {
      if (latest == null || when >= last) {
        last = when;
        latest = span;
      }
    }

    private boolean hasFailed() {
      boolean undecided = verdict == null && open == 0 && session.inferred.isEmpty();
      return (undecided ? statusWhenClosed() : verdict) == Status.FAILED;
    }

    private Status statusWhenClosed() {
      Status said = SessionState.ofWord(word);
      if (said != null) {
        return said;
      }
      if (lastClosed != null && lastClosed.told.outcome() == Outcome.ERROR) {
        return Status.FAILED;
      }
      if (lastClosed != null && lastClosed.told.outcome() == Outcome.CANCELLED) {
        return Status.CANCELLED;
      }
      return rootClosed ? Status.COMPLETED : Status.QUEUED;
    }
  }
}
