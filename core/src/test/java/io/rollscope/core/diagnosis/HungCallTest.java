package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.diagnosis.FindingsReport.Finding;
import io.rollscope.core.model.Status;
import org.junit.jupiter.api.Test;

/** A sandbox that waits for input, a reply that was lost. */
class HungCallTest {

  /** Forty groups of two whose tools took 1 to 3 s; all is over at 100 s. */
  private static OpenRun run() {
    OpenRun run = new OpenRun();
    for (int i = 0; i < 80; i++) {
      double from = i % 40 * 2;
      run.session("past-" + i, "task-" + i / 2, 1)
          .call("tool", "agent:" + i % 2, from, from + 1 + i % 3)
          .decided(from, 100.0, Status.ACCEPTED, null);
    }
    return run.beat("agent:0", "h", 400).beat("agent:1", "h", 400);
  }

  @Test
  void itIsNamedWithThoseThatWaitForIt() {
    OpenRun run = run();
    run.session("s.1", "t", 2).open("tool", "agent:1", 100);
    run.session("s.2", "t", 2).open("group", "agent:0", 100).inside("tool", "agent:0", 100, 102.0);

    Finding found = run.first();

    assertThat(run.found()).containsExactly("open hung_call/s.1/1");
    assertThat(found.stage()).isEqualTo("tool");
    assertThat(found.steps()).containsExactly(2L);
    assertThat(found.sinceS()).isEqualTo(100);
    assertThat(found.sentence())
        .isEqualTo(
            "tool of s.1 has been open for 5 min 00 s on agent:1; 81 others took 2.0 s, at most 3.0"
                + " s. 1 sibling and the step wait for it.");
    assertThat(found.victims().examples()).containsExactly("s.2");
  }

  @Test
  void whatIsOnlyTwiceAsLongAsTheLongestIsQuiet() {
    OpenRun run = run();
    run.session("s.0", "t", 2).call("tool", "agent:0", 380, 382);
    run.session("s.1", "t", 2).open("tool", "agent:1", 388);

    assertThat(run.found()).isEmpty();
  }

  /** It may yet end, and as long as its siblings are at work nobody waits for it. */
  @Test
  void nobodyWaitsAsLongAsASiblingIsAtWork() {
    OpenRun run = run();
    run.session("s.0", "t", 2).open("tool", "agent:0", 399);
    run.session("s.1", "t", 2).open("tool", "agent:1", 100);

    assertThat(run.found()).isEmpty();
  }

  @Test
  void twoOfOneGroupAreACauseEach() {
    OpenRun run = run();
    run.session("s.0", "t", 2).call("tool", "agent:0", 100, 102);
    run.session("s.1", "t", 2).open("tool", "agent:1", 100);
    run.session("s.2", "t", 2).open("tool", "agent:0", 110);

    assertThat(run.found())
        .containsExactlyInAnyOrder("open hung_call/s.1/1", "open hung_call/s.2/1");
  }

  @Test
  void aCallThatEndedAtLastStaysInTheHistory() {
    OpenRun run = run();
    run.session("s.1", "t", 2)
        .call("tool", "agent:1", 100, 300)
        .decided(100.0, 300.0, Status.ACCEPTED, null);

    assertThat(run.found()).containsExactly("closed hung_call/s.1/1");
    assertThat(run.first().sentence())
        .isEqualTo("tool of s.1 took 3 min 20 s on agent:1; 81 others took 2.0 s, at most 3.0 s.");
    assertThat(run.report().healthy()).isTrue();
  }

  /** Few sessions that write far more than the rest are a long tail. */
  @Test
  void aLongCallThatWroteMuchDidNotHang() {
    OpenRun run = run();
    for (int i = 0; i < 40; i++) {
      run.session("p" + i, "p" + i, 2).call("generate", "agent:0", i, i + 2).wrote(100);
    }
    run.session("long", "a", 2).call("generate", "agent:0", 100, 300).wrote(10_000);
    run.session("hung", "b", 2).call("generate", "agent:0", 100, 300).wrote(100);

    assertThat(run.found()).containsExactly("closed hung_call/hung/1");
  }

  /** The first calls of a stage: nothing says how long they take. */
  @Test
  void fewerThanTwentyEndedCallsSayNothing() {
    OpenRun run = new OpenRun();
    run.session("s.0", "t", 1).call("tool", "agent:0", 0, 2);
    run.session("s.1", "t", 1).open("tool", "agent:1", 0);
    run.beat("agent:0", "h", 400).beat("agent:1", "h", 400);

    assertThat(run.found()).isEmpty();
    assertThat(run.report().notJudged())
        .extracting(n -> n.kind() + ": " + n.why())
        .contains("hung_call: Fewer than 20 calls of tool have ended.");
  }

  /** All processes said goodbye: what is open will never end, and nobody can do anything. */
  @Test
  void aRunThatIsOverHasNoOpenFindings() {
    OpenRun run = run();
    run.session("s.0", "t", 2).call("tool", "agent:0", 100, 102);
    run.session("s.1", "t", 2).open("tool", "agent:1", 100);
    run.sign("agent:0", "first", "h", 401, true, 0).sign("agent:1", "first", "h", 401, true, 0);

    assertThat(run.report().healthy()).isTrue();
  }
}
