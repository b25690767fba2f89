package io.rollscope.core.session;

import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.List;

/**
 * What the spans of a session say of it as a whole: of two that say different things the one that
 * was last heard of holds, whenever it came in. Task and worker are those of its session span
 * (contracts.md 2.10).
 *
 * @param verdict what was decided, or null
 * @param statusWhenClosed where it stands if nothing of it is open
 * @param submittedNs when its container began, or {@link Nanos#UNKNOWN}
 * @param finalisedNs when its fate was decided, or {@link Nanos#UNKNOWN}
 * @param firstNs earliest time of anything, or {@link Nanos#UNKNOWN}
 * @param lastNs latest time of anything, or {@link Nanos#UNKNOWN}
 * @param openCount how many spans have not ended, lost ones included
 * @param oldest the span last heard of before all others, or null
 * @param newestOpen the open span that started last, a container only if nothing else is open; or
 *     null
 * @param latest the span that something last happened to, or null
 * @param rewardAndTokens what it earned and used (contracts.md 3.17, 3.18)
 */
public record SessionSummary<S extends ReportedSpan>(
    String batch,
    Long trainStep,
    Long modelStep,
    Long futureStep,
    String task,
    String taskName,
    Worker worker,
    String sourceStatus,
    String reason,
    Status verdict,
    Status statusWhenClosed,
    long submittedNs,
    long finalisedNs,
    long firstNs,
    long lastNs,
    int openCount,
    int errorCount,
    S oldest,
    S newestOpen,
    S latest,
    RewardAndTokens rewardAndTokens) {

  /**
   * @param decided what was decided apart from its spans, or null
   * @param inferred whether parents are believed to be open of which only children are known
   */
  public static <S extends ReportedSpan> SessionSummary<S> of(
      List<S> spans, SessionVerdict decided, boolean inferred) {
    List<S> sorted = oldestFirst(spans);
    Reading<S> reading = new Reading<>();
    for (S span : sorted) {
      reading.take(span);
    }
    return reading.summary(decided, inferred, sorted);
  }

  /** Mostly they are in that order already. */
  private static <S extends ReportedSpan> List<S> oldestFirst(List<S> spans) {
    for (int i = 1; i < spans.size(); i++) {
      if (compareAge(spans.get(i - 1), spans.get(i)) > 0) {
        List<S> sorted = new ArrayList<>(spans);
        sorted.sort(SessionSummary::compareAge);
        return sorted;
      }
    }
    return spans;
  }

  private static int compareAge(ReportedSpan a, ReportedSpan b) {
    int heard = Long.compare(a.heardNs(), b.heardNs());
    if (heard != 0) {
      return heard;
    }
    int start = Long.compare(a.startNs(), b.startNs());
    return start != 0 ? start : Long.compareUnsigned(a.spanId(), b.spanId());
  }

  /** Where it stands, if so many of its open spans are lost and so many parents are inferred. */
  public Status status(int lost, int inferred) {
    return SessionStatus.of(verdict, openCount + inferred, lost, statusWhenClosed);
  }

  private static final class Reading<S extends ReportedSpan> {
    private String batch;
    private Long train;
    private Long model;
    private Long future;
    private S tasked;
    private String taskName;
    private S owner;
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
    private S newestOpen;
    private S lastClosed;
    private S lastError;
    private S latest;

    void take(S span) {
      batch = span.batch() == null ? batch : span.batch();
      train = span.trainStep() == null ? train : span.trainStep();
      model = span.modelStep() == null ? model : span.modelStep();
      future = span.futureStep() == null ? future : span.futureStep();
      taskName = span.taskName() == null ? taskName : span.taskName();
      reason = span.reason() == null ? reason : span.reason();
      word = span.sourceStatus() == null ? word : span.sourceStatus();
      if (span.task() != null && (tasked == null || namesTaskBefore(span, tasked))) {
        tasked = span;
      }
      boolean session = span.kind() == Kind.SESSION;
      boolean placed = span.workerRole() != null || span.workerRank() != null;
      if (placed && (session || owner == null || owner.kind() != Kind.SESSION)) {
        owner = span;
      }
      place(span);
      if (session) {
        Status decided = SessionStatus.ofVerdict(span.status());
        verdict = decided == null ? verdict : decided;
        submitted = earlier(submitted, span.startNs());
        boolean undated = span.isUnended() || span.hasUndatedVerdict();
        finalised = undated ? Nanos.UNKNOWN : span.endNs();
      }
    }

    /** A session span's task is the session's, else that of the earliest span. */
    private boolean namesTaskBefore(S span, S other) {
      boolean session = span.kind() == Kind.SESSION;
      if (session != (other.kind() == Kind.SESSION)) {
        return session;
      }
      if (span.startNs() != other.startNs()) {
        return span.startNs() < other.startNs();
      }
      return Long.compareUnsigned(span.spanId(), other.spanId()) < 0;
    }

    private static long earlier(long known, long ns) {
      return known == Nanos.UNKNOWN ? ns : Math.min(known, ns);
    }

    private void place(S span) {
      first = earlier(first, span.startNs());
      if (latest == null || span.heardNs() >= last) {
        last = span.heardNs();
        latest = span;
      }
      if (span.isUnended()) {
        open++;
        if (newestOpen == null || isNewer(span, newestOpen)) {
          newestOpen = span;
        }
        return;
      }
      lastClosed = span;
      rootClosed |= span.parentId() == 0 && span.recordsParents();
      if (span.outcome() == Outcome.ERROR) {
        errors++;
        lastError = span;
      }
    }

    /** Work tells more of where a session stands than what is around it. */
    private boolean isNewer(S span, S than) {
      boolean container = span.kind().isContainer();
      return container == than.kind().isContainer() ? span.startNs() > than.startNs() : !container;
    }

    SessionSummary<S> summary(SessionVerdict decided, boolean inferred, List<S> sorted) {
      RewardAndTokens got = RewardAndTokens.ofSession(sorted);
      if (decided != null) {
        got = decided.lateFacts().values().or(got);
      }
      if (decided != null && decided.status() != null) {
        Status said = SessionStatus.ofVerdict(decided.status());
        verdict = said == null ? verdict : said;
        reason = decided.reason() == null ? reason : decided.reason();
        word = decided.sourceStatus() == null ? word : decided.sourceStatus();
        finalised = Math.max(finalised, decided.timeNs());
      }
      Status closed =
          SessionStatus.whenClosed(
              word, lastClosed == null ? null : lastClosed.outcome(), rootClosed);
      boolean goesOn = verdict == null && (open > 0 || inferred);
      boolean failed = !goesOn && (verdict == null ? closed : verdict) == Status.FAILED;
      return new SessionSummary<>(
          batch,
          train,
          model,
          future,
          tasked == null ? null : tasked.task(),
          taskName,
          owner == null ? Worker.UNKNOWN : new Worker(owner.workerRole(), owner.workerRank()),
          word,
          reason == null && failed && lastError != null ? lastError.error() : reason,
          verdict,
          closed,
          submitted,
          finalised,
          first,
          last,
          open,
          errors,
          sorted.isEmpty() ? null : sorted.get(0),
          newestOpen,
          latest,
          got);
    }
  }
}
