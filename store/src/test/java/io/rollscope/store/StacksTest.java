package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.view.SessionReport.SpanLine;
import io.rollscope.core.view.SpanStack;
import io.rollscope.store.hot.HotStore;
import io.rollscope.store.query.Reports;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is overdue is asked for, and what is answered is kept (contracts.md 3.20). */
class StacksTest {
  private static final String FRAMES = "recv /app/client.py:7\ncall /app/tool.py:88";

  @TempDir private Path folder;
  private final AtomicLong clock = new AtomicLong(Sender.at(0));
  private TestStore store;
  private Sender sender;

  /** Tools that take 10 ms, and a process that beats. */
  @BeforeEach
  void open() throws Exception {
    store = TestStore.open(folder, clock);
    sender = store.sender();
    clock.set(Sender.at(1));
    for (int i = 0; i < 25; i++) {
      sender.span(1, 100 + i, 0, "tool", .01 * i, .01 * (i + 1));
    }
    sender.attribute("rl.session.id", "usual").send();
    sender.beat("i-1", 1);
    store.tick();
  }

  @AfterEach
  void close() throws Exception {
    store.close();
  }

  private void reopen() throws Exception {
    store.close();
    store = TestStore.open(folder, clock);
    sender = store.sender();
  }

  /** A machine under load may apply a beat after its answer: then the next one asks. */
  private List<Long> asked(double at) {
    clock.set(Sender.at(at));
    store.tick();
    List<Long> spans = List.of();
    for (int i = 0; spans.isEmpty() && i < 10; i++) {
      spans = sender.beat("i-1", at);
    }
    return spans;
  }

  private SpanLine span(String session, Function<SpanLine, String> by, String wanted)
      throws Exception {
    store.pass(2);
    return new Reports(store.store().snapshots(), "here")
        .session("run-1", session, clock.get()).orElseThrow().spans().stream()
            .filter(s -> by.apply(s).equals(wanted))
            .findFirst()
            .orElseThrow();
  }

  private SpanStack stack(String session) throws Exception {
    return span(session, SpanLine::span, "tool").stack();
  }

  private long refused(String why) {
    return store.store().numbers().refused().getOrDefault(why, 0L);
  }

  private void openTool(long trace, double at) {
    sender.span(trace, trace, 0, "tool", at, -1).attribute("rl.session.id", "s-" + trace).send();
  }

  /** A tool hangs in a socket: its process is asked once, when twice the usual and 5 s are over. */
  @Test
  void theAnswerToABeatNamesAnOverdueSpanOnce() {
    openTool(2, 1);

    assertThat(asked(5)).isEmpty();
    assertThat(asked(7)).containsExactly(2L);
    assertThat(asked(100)).isEmpty();
  }

  @Test
  void whatEndedIsNotAskedFor() {
    openTool(2, 1);
    openTool(3, 1);
    clock.set(Sender.at(20));
    sender.span(2, 2, 0, "tool", 1, 20).attribute("rl.session.id", "s-2").send();

    assertThat(asked(30)).containsExactly(3L);
  }

  /** An agent's turn is late because a tool in it is. */
  @Test
  void whatOnlyContainsAnOverdueSpanIsNotAskedFor() {
    sender.span(2, 2, 0, "tool", 1, -1).span(2, 3, 2, "tool", 2, -1).send();

    assertThat(asked(30)).containsExactly(3L);
  }

  /** Of a group one session works for ever, and the others are done but for their group. */
  @Test
  void whoWaitsForASiblingIsNotAskedFor() {
    for (long trace = 2; trace <= 4; trace++) {
      sender.span(trace, trace, 0, "tool", 1, -1);
      sender.attribute("rl.session.id", "s-" + trace).attribute("rl.task.id", "group");
      if (trace > 2) {
        sender.span(trace, 10 + trace, trace, "decode", 1, 2);
      }
      sender.send();
    }

    assertThat(asked(30)).containsExactly(2L);
    assertThat(asked(31)).isEmpty();
    clock.set(Sender.at(32));
    sender.span(2, 2, 0, "tool", 1, 32).attribute("rl.session.id", "s-2");
    sender.attribute("rl.task.id", "group").attribute("rl.status", "completed").send();
    assertThat(asked(33)).containsExactlyInAnyOrder(3L, 4L);
  }

  /** A node's network is gone, and a hundred calls hang in one process. */
  @Test
  void sixAMinuteAreAskedForTheMostOverdueFirst() {
    for (int i = 0; i < 100; i++) {
      openTool(2 + i, 1 + .01 * i);
    }

    assertThat(asked(30)).containsExactly(2L, 3L, 4L, 5L, 6L, 7L);
    assertThat(asked(89)).isEmpty();
    assertThat(asked(90)).containsExactly(8L, 9L, 10L, 11L, 12L, 13L);
  }

  @Test
  void aProcessIsAskedForItsOwnOnly() {
    sender.begin("run-1", "i-2").span(2, 2, 0, "tool", 1, -1).send();
    openTool(3, 1);

    assertThat(asked(30)).containsExactly(3L);
    assertThat(sender.beat("i-3", 30)).isEmpty();
  }

  @Test
  void aStackStaysWithItsSpanThroughRestartEndAndSegment() throws Exception {
    openTool(2, 1);
    asked(30);
    sender.sendStack("i-1", 2, 2, 30, FRAMES);
    store.tick();

    SpanStack wanted =
        new SpanStack(
            "in recv, client.py:7",
            Sender.T0 / 1e9 + 30,
            List.of("recv /app/client.py:7", "call /app/tool.py:88"));
    assertThat(stack("s-2")).isEqualTo(wanted);
    reopen();
    assertThat(stack("s-2")).isEqualTo(wanted);
    sender.beat("i-1", 60);
    assertThat(asked(61)).as("it is known already").isEmpty();
    sender.span(2, 2, 0, "tool", 1, 70).attribute("rl.session.id", "s-2").send();
    store.sealAll();
    assertThat(stack("s-2")).isEqualTo(wanted);
    reopen();
    assertThat(stack("s-2")).isEqualTo(wanted);
    assertThat(
            store.query(
                "select attributes['rollscope.stack.frames'] from spans where session = 's-2'"))
        .containsExactly(FRAMES);
  }

  /** A checkpoint writes what is open once more and lets the record itself go. */
  @Test
  void aStackSurvivesACheckpoint() throws Exception {
    openTool(2, 1);
    sender.sendStack("i-1", 2, 2, 30, FRAMES);
    store.seal();
    for (int i = 0; i < 3; i++) {
      reopen();
    }

    assertThat(stack("s-2").frames()).hasSize(2);
  }

  @Test
  void whatNobodyCanUseIsDroppedAndCounted() throws Exception {
    for (int i = 2; i < 12; i++) {
      openTool(i, 1);
    }
    clock.set(Sender.at(30));
    sender.sendStack("i-1", 99, 2, 30, FRAMES);
    sender.sendStack("i-1", 2, 99, 30, FRAMES);
    sender.sendStack("i-2", 2, 2, 30, FRAMES);
    for (int i = 2; i < 10; i++) {
      sender.sendStack("i-1", i, i, 30, FRAMES);
    }
    sender.sendStack("i-1", 2, 2, 31, "second /app/x.py:1");
    store.tick();

    assertThat(refused(HotStore.NO_SPAN)).isEqualTo(2);
    assertThat(refused(HotStore.OTHER_PROCESS)).isEqualTo(1);
    assertThat(refused(HotStore.MANY_STACKS)).isEqualTo(3);
    assertThat(stack("s-7").frames()).hasSize(2);
    assertThat(stack("s-8")).isNull();
    assertThat(stack("s-2").summary()).isEqualTo("in recv, client.py:7");
  }
}
