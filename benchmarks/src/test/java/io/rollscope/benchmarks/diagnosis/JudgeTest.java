package io.rollscope.benchmarks.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rollscope.benchmarks.diagnosis.KnownRun.Acceptable;
import io.rollscope.benchmarks.diagnosis.KnownRun.Fault;
import io.rollscope.core.diagnosis.FindingsReport;
import io.rollscope.core.diagnosis.FindingsReport.Cost;
import io.rollscope.core.diagnosis.FindingsReport.Coverage;
import io.rollscope.core.diagnosis.FindingsReport.Finding;
import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.FindingsReport.Victims;
import io.rollscope.core.view.ReportContext.SkippedLines;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class JudgeTest {
  private static final Fault SLOW =
      new Fault("slow_worker", List.of("engine:1"), false, 80, false, true);
  private static final Fault SYNC =
      new Fault("slow_sync", List.of("weight_sync", "run"), false, 40, false, true);
  private static final Finding SLOW_FOUND = finding("slow_worker", "engine:1", 100.0);
  private static final Finding OTHER = finding("slow_service", "judge", 50.0);

  @Test
  void kindAndSubjectOfTheFirstFindingDecide() {
    assertThat(judge(faulty(SLOW), SLOW_FOUND, OTHER).isRight()).isTrue();
    assertThat(judge(faulty(SLOW), finding("slow_worker", "engine:2", 100.0)).isRight()).isFalse();
    assertThat(judge(faulty(SLOW), finding("hung_worker", "engine:1", 100.0)).isRight()).isFalse();
  }

  @Test
  void faultNamedSecondIsNamedAndNotRight() {
    Judgement judgement = judge(faulty(SLOW), OTHER, SLOW_FOUND);

    assertThat(judgement.isRight()).isFalse();
    assertThat(judgement.isNamed()).isTrue();
    assertThat(judgement.said()).isEqualTo("slow_service judge 50 s");
  }

  @Test
  void otherNameOfTheSubjectIsRight() {
    assertThat(judge(faulty(SYNC), finding("slow_sync", "run", 10.0)).isRight()).isTrue();
  }

  @Test
  void anySubjectIsRightIfItIsTheRun() {
    Fault starved = new Fault("starved_trainer", List.of("run"), true, 0, false, false);

    assertThat(judge(faulty(starved), finding("starved_trainer", "grpo-1", 9.0)).isRight())
        .isTrue();
  }

  @Test
  void firstOfTwoFaultsIsTheOneThatCounts() {
    KnownRun both = run(List.of(SLOW, SYNC), List.of());
    Finding sync = finding("slow_sync", "weight_sync", 40.0);

    assertThat(judge(both, SLOW_FOUND, sync).isRight()).isTrue();
    assertThat(judge(both, sync, SLOW_FOUND).isRight()).isFalse();
    assertThat(judge(both, sync, SLOW_FOUND).beside()).isEmpty();
  }

  @Test
  void consequenceBeforeTheCauseIsLookedOver() {
    KnownRun run =
        run(
            List.of(SLOW),
            List.of(
                new Acceptable("saturated_engine", "engine:1", false, Double.POSITIVE_INFINITY)));

    assertThat(judge(run, finding("saturated_engine", "engine:1", 90.0), SLOW_FOUND).isRight())
        .isTrue();
    assertThat(judge(run, finding("saturated_engine", "engine:2", 90.0), SLOW_FOUND).isRight())
        .isFalse();
    assertThat(judge(run, finding("saturated_engine", "engine:1", 90.0)).isRight())
        .as("the cause is missing")
        .isFalse();
  }

  @Test
  void silenceIsWrongUnlessTheFaultIsSlight() {
    Fault slight = new Fault("slow_worker", List.of("engine:1"), false, 1, true, true);

    assertThat(judge(faulty(SLOW)).isRight()).isFalse();
    assertThat(judge(faulty(slight)).isRight()).isTrue();
    assertThat(judge(faulty(slight), SLOW_FOUND).isRight()).isTrue();
    assertThat(judge(faulty(slight), OTHER).isRight()).isFalse();
  }

  @Test
  void costIsComparedWhereItIsKnownAndTold() {
    assertThat(judge(faulty(SLOW), SLOW_FOUND).costError()).isCloseTo(0.25, within(1e-9));
    Judgement silent = judge(faulty(SLOW), finding("slow_worker", "engine:1", null));
    assertThat(silent.costError()).isNull();
    assertThat(silent.isCostKnown()).isTrue();
    Fault skew = new Fault("clock_skew", List.of("gpu-1"), false, 0, false, false);
    assertThat(judge(faulty(skew), finding("clock_skew", "gpu-1", null)).isCostKnown()).isFalse();
  }

  /** A step takes 100 s. */
  @Test
  void healthyRunIsRightIfNothingCostsMoreThanATwentiethOfAStep() {
    KnownRun healthy = run(List.of(), List.of());

    assertThat(judge(healthy).isRight()).isTrue();
    assertThat(judge(healthy, finding("slow_worker", "engine:1", 5.0)).isRight()).isTrue();
    assertThat(judge(healthy, finding("slow_worker", "engine:1", 5.1)).isRight()).isFalse();
    assertThat(judge(healthy, finding("clock_skew", "gpu-1", null)).isRight()).isFalse();
  }

  @Test
  void trainerMayWaitALittleInAllSteps() {
    KnownRun healthy = run(List.of(), List.of(new Acceptable("starved_trainer", null, true, 0.3)));

    assertThat(judge(healthy, finding("starved_trainer", "run", 170.0, 5)).isRight()).isTrue();
    assertThat(judge(healthy, finding("starved_trainer", "run", 200.0, 5)).isRight()).isFalse();
    assertThat(judge(healthy, finding("starved_trainer", "run", 170.0, 2)).isRight()).isFalse();
  }

  private static Judgement judge(KnownRun run, Finding... findings) {
    return Judge.judge(
        run,
        new FindingsReport(
            "source",
            "run",
            "all",
            600,
            findings.length == 0,
            "",
            new Coverage(true, true, true, true, false, 6),
            List.of(findings),
            List.of(),
            List.of(),
            new SkippedLines(0, List.of())));
  }

  private static KnownRun faulty(Fault fault) {
    return run(List.of(fault), List.of());
  }

  private static KnownRun run(List<Fault> faults, List<Acceptable> acceptable) {
    return new KnownRun("run", faults, acceptable, 600, 6);
  }

  private static Finding finding(String kind, String subject, Double wallS) {
    return finding(kind, subject, wallS, 3);
  }

  private static Finding finding(String kind, String subject, Double wallS, int steps) {
    return new Finding(
        kind + "/" + subject + "/1",
        kind,
        "open",
        new Subject("worker", subject),
        null,
        LongStream.range(0, steps).boxed().toList(),
        0,
        null,
        new Cost(wallS, null, null),
        1,
        "",
        List.of(),
        Victims.NONE,
        "",
        List.of());
  }
}
