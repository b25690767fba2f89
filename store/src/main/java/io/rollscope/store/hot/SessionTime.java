package io.rollscope.store.hot;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.model.Status;
import io.rollscope.core.session.SessionSummary;
import io.rollscope.core.time.Nanos;

/**
 * Accounts for the time of sessions in memory and writes each span's self time into it. A buffer,
 * used for one session after another.
 */
final class SessionTime {
  private final Accounting accounting = new Accounting();
  private long fromNs;
  private long toNs;
  private boolean finalised;
  private long workFromNs;
  private long workToNs;
  private long selfNs;

  /** Looks at one session as it is now. */
  void account(HotSession session, Status status, long ourNowNs) {
    long nowNs = session.now(ourNowNs);
    SessionSummary<HotSpan> facts = session.facts();
    long from = facts.submittedNs() == Nanos.UNKNOWN ? facts.firstNs() : facts.submittedNs();
    fromNs = from == Nanos.UNKNOWN ? nowNs : from;
    finalised = facts.finalisedNs() != Nanos.UNKNOWN;
    long to = facts.finalisedNs();
    if (!finalised) {
      to =
          status == Status.RUNNING
              ? nowNs
              : session.lastNs() == Nanos.UNKNOWN ? fromNs : session.lastNs();
    }
    toNs = Math.max(fromNs, to);
    accounting.account(session, fromNs, toNs, finalised);
    workFromNs = Nanos.UNKNOWN;
    workToNs = Nanos.UNKNOWN;
    selfNs = 0;
    for (int i = 0; i < session.count(); i++) {
      HotSpan span = session.spans.get(i);
      long self = accounting.self(i);
      if (!span.sealed) {
        span.selfNs = self;
      }
      selfNs += self;
      if (session.isWork(i)) {
        long start = session.start(i);
        workFromNs = workFromNs == Nanos.UNKNOWN ? start : Math.min(workFromNs, start);
        workToNs = Math.max(workToNs, session.end(i, toNs));
      }
    }
  }

  long fromNs() {
    return fromNs;
  }

  long toNs() {
    return toNs;
  }

  boolean finalised() {
    return finalised;
  }

  /** Begin of its first work, or {@link Nanos#UNKNOWN}. */
  long workFromNs() {
    return workFromNs;
  }

  long workToNs() {
    return workToNs;
  }

  /** Sum of all self times, as of now. */
  long selfNs() {
    return selfNs;
  }

  Accounting accounting() {
    return accounting;
  }
}
