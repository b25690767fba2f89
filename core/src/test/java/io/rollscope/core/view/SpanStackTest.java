package io.rollscope.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which frames the sentence about a stack is made of (contracts.md 3.20). */
class SpanStackTest {
  private static final String PYTHON = "/usr/lib/python3.11/";
  private static final String SITE = "/opt/venv/lib/python3.11/site-packages/";

  private static String summary(String... frames) {
    return SpanStack.of(String.join("\n", frames), null).summary();
  }

  /** A tool waits for the answer to an HTTP request. */
  @Test
  void theUsersFrameAndTheLibraryCallsAroundTheWait() {
    assertThat(
            summary(
                "read " + PYTHON + "ssl.py:1166",
                "readinto " + PYTHON + "socket.py:706",
                "request " + SITE + "requests/sessions.py:589",
                "post " + SITE + "requests/api.py:115",
                "call_tool /home/u/train/tool.py:88",
                "main /home/u/train/train.py:12"))
        .isEqualTo("waiting in requests.post → ssl.read, tool.py:88");
  }

  @Test
  void oneLibraryCallIsNamedOnce() {
    assertThat(summary("Event.wait " + PYTHON + "threading.py:629", "judge /app/judge.py:5"))
        .isEqualTo("waiting in threading.Event.wait, judge.py:5");
  }

  @Test
  void theUsersOwnCodeMayBeWhereItStands() {
    assertThat(summary("Solver.step.<locals>.inner /app/solve.py:3", "main /app/solve.py:9"))
        .isEqualTo("in inner, solve.py:3");
  }

  @Test
  void withoutCodeOfTheUserTheInnermostFrameCounts() {
    assertThat(summary("wait " + PYTHON + "threading.py:320", "run " + PYTHON + "threading.py:982"))
        .isEqualTo("waiting in threading.wait, threading.py:320");
  }

  /** Environments have a lib/python3.11 in their path, too: the last one counts. */
  @Test
  void librariesAreKnownByTheirFolders() {
    assertThat(summary("a C:\\Python311\\Lib\\asyncio\\locks.py:1", "b C:\\work dir\\tool.py:2"))
        .isEqualTo("waiting in asyncio.a, tool.py:2");
    assertThat(summary("a /usr/lib/python3/dist-packages/zmq/poll.py:1", "b /x/y.py:2"))
        .isEqualTo("waiting in zmq.a, y.py:2");
    assertThat(summary("a <frozen importlib._bootstrap>:1", "b <stdin>:2"))
        .isEqualTo("waiting in importlib._bootstrap.a, <stdin>:2");
    assertThat(summary("a …ges/torch/cuda.py:1")).isEqualTo("in a, cuda.py:1");
    assertThat(summary("java.net.Socket.read Socket.java:7", "my.Tool.call Tool.java:3"))
        .isEqualTo("waiting in java.net.Socket.read, Tool.java:3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "f a.py", "a.py:3", "f a.py:99999999999", "<b>x</b>"})
  void whatIsNoFrameIsShownButNotSummarised(String frame) {
    SpanStack stack = SpanStack.of(frame, "soon");

    assertThat(stack).isEqualTo(new SpanStack(null, null, java.util.List.of(frame)));
  }

  /** A span's own attributes may claim to be a stack. */
  @Test
  void whoeverWroteItItIsBoundedAndHasNoControlCharacters() {
    SpanStack stack = SpanStack.of("f\u001b[2J \u202ea.py:1\n\n" + "g b.py:2\n".repeat(5_000), "5");

    assertThat(stack.frames()).hasSize(64).startsWith("f\uFFFD[2J \uFFFDa.py:1", "g b.py:2");
    assertThat(stack.atS()).isEqualTo(5e-9);
    assertThat(SpanStack.of("x".repeat(1 << 20), null).frames().get(0)).hasSize(8 << 10);
  }

  @Test
  void framesAreNoAttributesOfTheirSpan() {
    SpanAttributes all = new SpanAttributes();
    all.add(0, Map.of("a", "b", SpanStack.FRAMES, "f a.py:1", SpanStack.AT, "1000000000"));

    assertThat(all.of(0).attributes()).containsOnlyKeys("a");
    assertThat(all.of(0).stack().summary()).isEqualTo("in f, a.py:1");
    assertThat(all.of(0).stack().atS()).isEqualTo(1);
  }
}
