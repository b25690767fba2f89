package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.diagnosis.FindingsReport.Finding;
import org.junit.jupiter.api.Test;

/** A process is killed with what it works on: out of memory, a lost node. */
class DeadProcessTest {

  /** Two agents; the second was last heard of at 100 s, the first at 300 s. */
  private static OpenRun run() {
    OpenRun run = new OpenRun();
    run.session("lost", "t", 1).open("generate", "agent:1", 95);
    run.session("kept", "u", 1).open("generate", "agent:0", 290);
    return run.beat("agent:0", "h0", 300).beat("agent:1", "h1", 100);
  }

  @Test
  void aSilentProcessIsNamedWithWhatItTookWithIt() {
    OpenRun run = run();

    Finding found = run.first();

    assertThat(run.found()).containsExactly("open dead_process/agent:1/1");
    assertThat(found.sinceS()).isEqualTo(100);
    assertThat(found.steps()).containsExactly(1L);
    assertThat(found.victims().examples()).containsExactly("lost");
    assertThat(found.sentence())
        .isEqualTo(
            "agent:1 (h1, pid 17) has been silent for 3 min 20 s with 1 call open."
                + " 1 session of step 1 is lost.");
  }

  @Test
  void itStaysListedWhenAnotherTookOver() {
    OpenRun run = run();
    run.sign("agent:1", "second", "h1", 298, false, 0);
    run.session("new", "v", 1).open("generate", "agent:1", 160);

    Finding found = run.first();

    assertThat(run.found()).containsExactly("closed dead_process/agent:1/1");
    assertThat(found.untilS()).isEqualTo(160);
    assertThat(found.sentence()).endsWith("A new process took over 1 min 00 s later.");
    assertThat(run.report().healthy()).isTrue();
  }

  /** It beats every 10 s; a late beat is no death. */
  @Test
  void silenceOfThirtySecondsIsNotEnough() {
    OpenRun run = run();
    run.beat("agent:1", "h1", 270);

    assertThat(run.found()).isEmpty();
  }

  @Test
  void aProcessThatSaidGoodbyeWithOpenWorkIsDeadAfterABeat() {
    OpenRun run = run();
    run.sign("agent:1", "first", "h1", 285, true, 0);

    assertThat(run.first().sentence()).startsWith("agent:1 (h1, pid 17) ended with 1 call open.");
  }

  /** At the end of a run all say goodbye within moments, some with open work. */
  @Test
  void theEndOfARunIsNoFault() {
    OpenRun run = run();
    run.sign("agent:0", "first", "h0", 301, true, 0).sign("agent:1", "first", "h1", 299, true, 0);

    assertThat(run.found()).isEmpty();
  }

  /** Its callers wait for answers that will never come: they are no hung calls. */
  @Test
  void whatIsSentToADeadEngineIsExplained() {
    OpenRun run = new OpenRun();
    for (int i = 0; i < 60; i++) {
      run.session("past-" + i, "p" + i, 0)
          .call("generate", "agent:0", i, i + 2)
          .inside("engine", "engine:" + i % 2, i, i + 2.0);
    }
    run.session("lost", "t", 1)
        .open("generate", "agent:0", 90)
        .inside("engine", "engine:1", 90, null);
    run.session("sent", "u", 1).open("generate", "agent:0", 105);
    run.beat("agent:0", "h0", 400).beat("engine:0", "g0", 400).beat("engine:1", "g1", 100);

    assertThat(run.found()).containsExactly("open dead_process/engine:1/1");
    assertThat(run.first().victims().examples()).containsExactlyInAnyOrder("lost", "sent");
  }

  @Test
  void withoutBeatsNobodyCanTell() {
    OpenRun run = new OpenRun();
    run.session("a", "t", 1).open("generate", "agent:1", 95);

    assertThat(run.report().notJudged())
        .extracting(n -> n.kind() + ": " + n.why())
        .contains("dead_process: No process tells that it is alive.");
  }
}
