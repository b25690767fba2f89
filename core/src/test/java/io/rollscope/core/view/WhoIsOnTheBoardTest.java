package io.rollscope.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.TableBuilder;
import io.rollscope.core.model.Worker;
import io.rollscope.core.table.ProcessSign;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.view.LiveReport.Row;
import org.junit.jupiter.api.Test;

/** What users saw on boards of folders, and should not have, or should have. */
class WhoIsOnTheBoardTest {
  private static final long SECOND = 1_000_000_000L;

  private static LiveReport live(SpanTable table, Scope scope, double clockS) {
    return new LiveBoard(table, scope)
        .report(Boards.CONTEXT, scope, (long) (clockS * SECOND), 0, 1_000);
  }

  /** All 192 sessions of the run were listed instead of the 32 of the newest step. */
  @Test
  void aNewestEventThatNamesNoBatchDoesNotPutTheWholeRunOnTheBoard() {
    TableBuilder run = new TableBuilder();
    for (int i = 0; i < 3; i++) {
      run.session("old-" + i).batch("1").word("completed").span("generate", 1, 2);
    }
    run.session("new").batch("2").span("generate", 10, 12);
    run.session("new").batch(null).span("judge", 12, 20);
    run.lane("trainer").batch("1").span("train", 30, 40);

    assertThat(live(run.table(), Scope.ACTIVE, 50).rows())
        .extracting(Row::session)
        .containsExactly("new");
  }

  /** Live of a server showed none of the finished sessions of a run without batches. */
  @Test
  void sessionsWithoutBatchesAreOneBatchAndAllOnTheBoard() {
    TableBuilder run = new TableBuilder();
    run.session("a").span("generate", 1, 2);
    run.session("b").span("generate", 3, 4);

    assertThat(live(run.table(), Scope.ACTIVE, 5).sessionSummary()).containsEntry("total", 2);
  }

  /** Ages of a finished folder counted to today: 159d 06h. */
  @Test
  void aRunThatIsOverIsShownAsOfItsLastEvent() {
    SpanTable table = run(100);

    LiveReport over = live(table, Scope.ALL, 100 + 600);
    LiveReport goesOn = live(table, Scope.ALL, 100 + 599);

    assertThat(over.past()).isTrue();
    assertThat(over.rows().get(0).openAgeS()).isEqualTo(90);
    assertThat(goesOn.past()).isFalse();
    assertThat(goesOn.rows().get(0).openAgeS()).isEqualTo(689);
  }

  private static SpanTable run(double lastS) {
    TableBuilder run = new TableBuilder();
    run.session("hung").start("judge", 10);
    run.session("other").span("judge", 20, lastS);
    return run.table();
  }

  /** Beats ran 420 s past a hang, yet the call seemed to be open for 62 s. */
  @Test
  void beatsOfAFolderCountForHowLongACallHasBeenOpen() {
    SpanTable table = run(72);
    table.heard(sign("p", 0, 430, false));

    assertThat(live(table, Scope.ALL, 100_000).rows().get(0).openAgeS()).isEqualTo(420);
    assertThat(HotspotsView.of(table, Scope.ALL, Boards.CONTEXT).stageStats().get(0).maxS())
        .isEqualTo(420);
  }

  private static ProcessSign sign(String instance, long rank, double timeS, boolean ended) {
    return new ProcessSign(
        instance,
        new Worker(null, rank),
        "gpu-" + rank,
        rank + 100,
        (long) (timeS * SECOND),
        ended,
        0,
        0,
        0,
        0,
        0);
  }

  /** Nothing said that a process was silent for four minutes beside beating ones. */
  @Test
  void aProcessThatIsSilentWhileOthersBeatIsNamed() {
    TableBuilder run = new TableBuilder();
    run.session("waits").batch("7").rank(2).start("generate", 10);
    SpanTable table = run.table();
    table.heard(sign("beats", 1, 300, false));
    table.heard(sign("silent", 2, 60, false));

    LiveReport report = live(table, Scope.ALL, 301);

    assertThat(report.sessionSummary()).containsEntry("running", 1);
    assertThat(report.processes()).hasSize(1);
    LiveReport.ProcessLine silent = report.processes().get(0);
    assertThat(silent.worker()).isEqualTo("rank 2");
    assertThat(silent.host()).isEqualTo("gpu-2");
    assertThat(silent.pid()).isEqualTo(102);
    assertThat(silent.state()).isEqualTo("silent");
    assertThat(silent.sinceS()).isEqualTo(60);
    assertThat(silent.sessions()).isEqualTo(1);
    assertThat(silent.batches()).containsExactly("7");
  }

  /** “0 running … now in generate 10”: what is lost has ended. */
  @Test
  void aLostSessionIsInNoStageAndItsProcessSaysWhatItTook() {
    TableBuilder run = new TableBuilder();
    run.session("gone").batch("7").rank(2).lost("generate", 10);
    SpanTable table = run.table();
    table.heard(sign("dead", 2, 60, true));
    table.heard(sign("next", 2, 90, false));

    LiveReport report = live(table, Scope.ALL, 100);

    assertThat(report.taskSummary().currentStageCounts()).isEmpty();
    assertThat(report.openSpanSummaries()).isEmpty();
    assertThat(report.processes()).hasSize(1);
    assertThat(report.processes().get(0).state()).isEqualTo("lost");
    assertThat(report.processes().get(0).sessions()).isEqualTo(1);
    assertThat(report.processes().get(0).replaced()).isTrue();
  }

  /** AReaL's pending rows with all phases done were only called queued. */
  @Test
  void aSessionWithAllItsWorkDoneWaitsForItsVerdict() {
    TableBuilder run = new TableBuilder();
    run.session("done").word("pending").span("generate", 1, 2);

    Row row = live(run.table(), Scope.ALL, 3).rows().get(0);

    assertThat(row.status()).isEqualTo("queued");
    assertThat(row.waitsFor()).isEqualTo(Row.VERDICT);
  }
}
