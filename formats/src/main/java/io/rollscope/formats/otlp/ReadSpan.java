package io.rollscope.formats.otlp;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.session.ReportedSpan;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.session.SpanVersion;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.time.Nanos;
import java.util.Comparator;

/**
 * One version of a span as it is taken out of the columns, to be merged or summed up.
 *
 * @param session that it names, or null
 * @param queuedNs how long it waited in the queue of its engine, or {@link Nanos#UNKNOWN}
 * @param origin where its line is
 */
record ReadSpan(
    long spanId,
    long parentId,
    SpanName name,
    Kind kind,
    long startNs,
    long endNs,
    Outcome outcome,
    String error,
    Coordinates at,
    String session,
    SpanLabels labels,
    RewardAndTokens rewardAndTokens,
    long queuedNs,
    long origin)
    implements SpanVersion<ReadSpan>, ReportedSpan {

  /** As versions of a span are compared by their records, as far as this is kept. */
  private static final Comparator<ReadSpan> BY_CONTENT =
      Comparator.comparingLong(ReadSpan::startNs)
          .thenComparing(s -> s.name.raw())
          .thenComparing(ReadSpan::parentId, Long::compareUnsigned)
          .thenComparing(ReadSpan::kind)
          .thenComparing(ReadSpan::outcome)
          .thenComparing(ReadSpan::error, nullsFirst())
          .thenComparing(s -> s.labels.run(), nullsFirst())
          .thenComparing(ReadSpan::session, nullsFirst())
          .thenComparing(s -> s.labels.lane(), nullsFirst())
          .thenComparing(s -> s.labels.alone())
          .thenComparing(ReadSpan::batch, nullsFirst())
          .thenComparing(ReadSpan::trainStep, nullsFirst())
          .thenComparing(ReadSpan::modelStep, nullsFirst())
          .thenComparing(ReadSpan::futureStep, nullsFirst())
          .thenComparing(ReadSpan::task, nullsFirst())
          .thenComparing(ReadSpan::taskName, nullsFirst())
          .thenComparing(s -> s.name.stage())
          .thenComparing(ReadSpan::workerRole, nullsFirst())
          .thenComparing(ReadSpan::workerRank, nullsFirst())
          .thenComparing(ReadSpan::status, nullsFirst())
          .thenComparing(ReadSpan::sourceStatus, nullsFirst())
          .thenComparing(ReadSpan::reason, nullsFirst())
          .thenComparing(s -> s.labels.group(), nullsFirst())
          .thenComparing(s -> s.labels.counters().toString())
          .thenComparing(s -> s.rewardAndTokens.toString())
          .thenComparing(ReadSpan::queuedNs);

  private static <T extends Comparable<T>> Comparator<T> nullsFirst() {
    return Comparator.nullsFirst(Comparator.naturalOrder());
  }

  @Override
  public int compareContent(ReadSpan other) {
    return BY_CONTENT.compare(this, other);
  }

  @Override
  public ReadSpan and(ReadSpan weaker) {
    boolean staged = !name.stage().equals(name.raw());
    boolean stagedBefore = !weaker.name.stage().equals(weaker.name.raw());
    return new ReadSpan(
        spanId,
        parentId,
        !staged && stagedBefore ? new SpanName(name.raw(), weaker.name.stage()) : name,
        kind,
        startNs,
        endNs,
        outcome,
        error,
        at.or(weaker.at),
        session != null ? session : weaker.session,
        labels.and(weaker.labels),
        rewardAndTokens.or(weaker.rewardAndTokens),
        queuedNs == Nanos.UNKNOWN ? weaker.queuedNs : queuedNs,
        origin);
  }

  @Override
  public boolean recordsParents() {
    return !labels.byTime();
  }

  @Override
  public String batch() {
    return at.batch();
  }

  @Override
  public Long trainStep() {
    return at.trainStep();
  }

  @Override
  public Long modelStep() {
    return at.modelStep();
  }

  @Override
  public Long futureStep() {
    return at.futureStep();
  }

  @Override
  public String task() {
    return at.task();
  }

  @Override
  public String taskName() {
    return at.taskName();
  }

  @Override
  public String workerRole() {
    return at.worker().role();
  }

  @Override
  public Long workerRank() {
    return at.worker().rank();
  }

  @Override
  public String status() {
    return labels.status();
  }

  @Override
  public String sourceStatus() {
    return at.sourceStatus();
  }

  @Override
  public String reason() {
    return labels.reason();
  }
}
