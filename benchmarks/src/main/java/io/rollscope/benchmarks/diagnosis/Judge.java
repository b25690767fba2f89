package io.rollscope.benchmarks.diagnosis;

import io.rollscope.benchmarks.diagnosis.KnownRun.Acceptable;
import io.rollscope.benchmarks.diagnosis.KnownRun.Fault;
import io.rollscope.core.diagnosis.FindingsReport;
import io.rollscope.core.diagnosis.FindingsReport.Finding;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Compares findings with what is true. */
final class Judge {
  /** What costs less than this part of a step disturbs nobody. */
  private static final double NEGLIGIBLE = 0.05;

  /** Said of so many of the steps, it is said of nearly all. */
  private static final double NEARLY_ALL = 0.8;

  private final KnownRun run;
  private final FindingsReport report;

  private Judge(KnownRun run, FindingsReport report) {
    this.run = run;
    this.report = report;
  }

  static Judgement judge(KnownRun run, FindingsReport report) {
    return new Judge(run, report).judge();
  }

  private Judgement judge() {
    List<String> beside =
        report.findings().stream().filter(this::isFalse).map(Judge::inShort).toList();
    if (run.isHealthy()) {
      String said = beside.isEmpty() ? "" : beside.get(0);
      return new Judgement(run, beside.isEmpty(), beside.isEmpty(), null, false, beside, said);
    }
    Fault fault = run.faults().get(0);
    // Consequences that stand before their cause are looked over; another fault is not.
    Optional<Finding> first =
        report.findings().stream()
            .filter(finding -> matches(finding, fault) || !isAcceptable(finding))
            .findFirst();
    Optional<Finding> named =
        report.findings().stream().filter(finding -> matches(finding, fault)).findFirst();
    boolean isRight = first.map(finding -> matches(finding, fault)).orElse(fault.isSlight());
    boolean isCostKnown = fault.hasCost() && !fault.isSlight() && fault.wallS() > 0;
    Double told = named.map(finding -> finding.cost().wallS()).orElse(null);
    Double error =
        isCostKnown && told != null ? Math.abs(told - fault.wallS()) / fault.wallS() : null;
    return new Judgement(
        run,
        isRight,
        named.isPresent(),
        error,
        isCostKnown && named.isPresent(),
        beside,
        first.map(Judge::inShort).orElse(""));
  }

  private static boolean matches(Finding finding, Fault fault) {
    return finding.kind().equals(fault.kind())
        && (fault.isRun() || fault.names().contains(finding.subject().id()));
  }

  /** A false alarm, if it says to cost anything worth mentioning, or cannot say what it costs. */
  private boolean isFalse(Finding finding) {
    Double wallS = finding.cost().wallS();
    boolean isNegligible = wallS != null && wallS <= NEGLIGIBLE * run.stepS();
    return !isNegligible
        && !isAcceptable(finding)
        && run.faults().stream().noneMatch(fault -> matches(finding, fault));
  }

  private boolean isAcceptable(Finding finding) {
    return run.acceptable().stream().anyMatch(one -> accepts(one, finding));
  }

  private boolean accepts(Acceptable one, Finding finding) {
    Double wallS = finding.cost().wallS();
    int steps = finding.steps().size();
    return one.kind().equals(finding.kind())
        && (one.id() == null || one.id().equals(finding.subject().id()))
        && (!one.allSteps() || steps == 0 || steps >= NEARLY_ALL * (run.steps() - 1))
        && (wallS == null || wallS <= one.atMost() * run.wallS());
  }

  private static String inShort(Finding finding) {
    Double wallS = finding.cost().wallS();
    String cost = wallS == null ? "?" : String.format(Locale.ROOT, "%.0f s", wallS);
    return finding.kind() + " " + finding.subject().id() + " " + cost;
  }
}
