package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.RunWork.SessionWork;

/** Does the clock of a host disagree with the others? */
final class ClockSkewDetector implements Detector {
  /** Of two hosts nothing tells which one is wrong. */
  private static final double UNDECIDED = .5;

  @Override
  public void detect(RunWork work, Causes causes) {
    HostClocks clocks = work.open().clocks();
    if (!clocks.isKnown()) {
      causes.cannotJudge(
          FindingKind.CLOCK_SKEW, "No calls from one known host to another are recorded.");
      return;
    }
    boolean over = work.open().isOver();
    clocks
        .offsets()
        .forEach(
            (host, ahead) -> {
              if (Math.abs(ahead) > HostClocks.TOLERANCE_NS) {
                Cause cause = cause(work, host, ahead);
                cause.confidence(clocks.offsets().size() == 2 ? UNDECIDED : 1);
                causes.add(over ? cause.until(work.nowNs()) : cause);
              }
            });
    if (causes.has(FindingKind.CLOCK_SKEW)) {
      causes.cannotJudge(
          FindingKind.CLOCK_SKEW,
          "What a wrong clock costs is not known: it changes what is recorded, not what happens.");
    }
  }

  private static Cause cause(RunWork work, String host, long ahead) {
    String off = Words.duration(Math.abs(ahead)) + (ahead > 0 ? " ahead of" : " behind");
    return new Cause(FindingKind.CLOCK_SKEW, new Subject("host", host), null, firstNs(work))
        .sentence("The clock of " + host + " is " + off + " the others.")
        .advice(
            "Set the clock of "
                + host
                + " (chrony or ntpd). Times across hosts are off by as much.")
        .evidence("ahead of the others", Words.seconds(ahead), 0.0, "s", null);
  }

  private static long firstNs(RunWork work) {
    long first = work.nowNs();
    for (SessionWork one : work.sessions()) {
      first = Math.min(first, one.fromNs());
    }
    return first;
  }
}
