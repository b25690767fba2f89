package io.rollscope.core.pairing;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.TableBuilder;
import io.rollscope.core.TableBuilder.SessionBuilder;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of contracts.md 4.1, first match first. */
class SessionStateTest {

  private static SessionBuilder session() {
    return new TableBuilder().session("a");
  }

  private static SessionState state(SessionBuilder told) {
    SessionSpans spans = told.spans();
    SessionState state = SessionState.of(spans);
    assertThat(SessionState.statusOf(spans)).isEqualTo(state.status());
    return state;
  }

  private static Status status(SessionBuilder told) {
    return state(told).status();
  }

  @Test
  void anExplicitVerdictBeatsEverythingElse() {
    SessionBuilder told =
        session()
            .facts(0.0, null, Status.ACCEPTED, null)
            .word("failed")
            .open("x", 1)
            .span("y", 1, 2, Outcome.ERROR, Kind.PHASE);

    assertThat(status(told)).isEqualTo(Status.ACCEPTED);
  }

  @Test
  void anOpenSpanMeansRunningWhateverTheSourceSays() {
    assertThat(status(session().word("completed").start("x", 1))).isEqualTo(Status.RUNNING);
    assertThat(status(session().word("failed").open("x", 1))).isEqualTo(Status.RUNNING);
  }

  /** A worker was killed: all that it had open will never end. */
  @Test
  void whenAllOpenSpansAreLostTheSessionIsLost() {
    assertThat(status(session().lost("x", 1).lost("y", 2).span("z", 1, 2))).isEqualTo(Status.LOST);
    assertThat(status(session().lost("x", 1).open("y", 2))).isEqualTo(Status.RUNNING);
  }

  /** A file cannot tell hung from dead. */
  @Test
  void silenceInAFileNeverMeansLost() {
    assertThat(status(session().start("x", 0).session("b").point("much later", 1e6).session("a")))
        .isEqualTo(Status.RUNNING);
  }

  @ParameterizedTest
  @CsvSource({
    "completed,COMPLETED",
    "archived,COMPLETED",
    "failed,FAILED",
    "aborted,CANCELLED",
    "expired,DROPPED",
    "filtered,REJECTED",
    "accepted,ACCEPTED",
    "rejected,REJECTED",
    "dropped,DROPPED",
    "cancelled,CANCELLED"
  })
  void aWordOfTheSourceDecidesWhenNothingIsOpen(String word, Status expected) {
    SessionState state =
        state(session().word(word).start("x", 1).error("x", 2, "ValueError: no matter"));

    assertThat(state.status()).isEqualTo(expected);
    assertThat(state.sourceStatus()).isEqualTo(word);
  }

  @ParameterizedTest
  @CsvSource({"init", "pending", "COMPLETED", "something new"})
  void otherWordsDecideNothingAndAreKept(String word) {
    SessionState state = state(session().word(word).start("x", 1).end("x", 2));

    assertThat(state.status()).isEqualTo(Status.QUEUED);
    assertThat(state.sourceStatus()).isEqualTo(word);
  }

  @Test
  void theWordOfTheLatestEventCountsNotOfTheOneReadLast() {
    assertThat(status(session().word("failed").end("x", 9, 1).word("completed").start("x", 2)))
        .isEqualTo(Status.FAILED);
  }

  /** Only some events carry a status. */
  @Test
  void anEventWithoutAWordDoesNotTakeTheLastOneBack() {
    assertThat(status(session().word("filtered").point("p", 1).word(null).point("q", 2)))
        .isEqualTo(Status.REJECTED);
  }

  @Test
  void aSessionWhoseLastSpanFailedHasFailed() {
    SessionState state =
        state(session().start("x", 1).error("x", 3, "TimeoutError: judge").span("y", 1, 2));

    assertThat(state.status()).isEqualTo(Status.FAILED);
    assertThat(state.reason()).isEqualTo("TimeoutError: judge");
  }

  /** The engine was asked a second time and answered. */
  @Test
  void anErrorBeforeTheLastSpanDoesNotFailTheSession() {
    SessionState state =
        state(session().start("x", 1).error("x", 2, "E").start("x", 3).end("x", 4));

    assertThat(state.status()).isEqualTo(Status.QUEUED);
    assertThat(state.reason()).isNull();
  }

  @Test
  void aSessionWhoseLastSpanWasCancelledIsCancelled() {
    assertThat(status(session().start("x", 1).cancel("x", 2))).isEqualTo(Status.CANCELLED);
  }

  @Test
  void whereSpansHaveParentsAClosedRootMeansCompleted() {
    assertThat(status(session().span("root", 1, 5).ids(1, 0).span("child", 2, 3).ids(2, 1)))
        .isEqualTo(Status.COMPLETED);
  }

  @Test
  void aClosedChildAloneDoesNotCompleteASession() {
    assertThat(status(session().span("child", 2, 3).ids(2, 1))).isEqualTo(Status.QUEUED);
  }

  @Test
  void withoutParentIdsAClosedSpanDoesNotCompleteASession() {
    assertThat(status(session().start("x", 1).end("x", 2))).isEqualTo(Status.QUEUED);
  }

  /** Sampled, waiting for a free worker. */
  @Test
  void aSessionOfWhichOnlyAPointIsKnownIsQueued() {
    assertThat(status(session().point("sampled", 1))).isEqualTo(Status.QUEUED);
  }

  @Test
  void theNewestKnownValueOfEachFieldIsWhereTheSessionBelongs() {
    SessionState state =
        state(
            session()
                .batch("b1")
                .steps(1, 0, 2)
                .taskName("gsm8k")
                .rank(5)
                .point("p", 1)
                .batch("b2")
                .steps(2, null, null)
                .taskName(null)
                .rank(null)
                .point("q", 2));

    assertThat(state.at().batch()).isEqualTo("b2");
    assertThat(state.at().trainStep()).isEqualTo(2);
    assertThat(state.at().taskName()).isEqualTo("gsm8k");
    assertThat(state.at().worker()).isEqualTo(new Worker(null, 5L));
  }

  @Test
  void theReasonOfTheSourceCountsMoreThanTheErrorOfASpan() {
    SessionState state =
        state(
            session()
                .facts(0.0, 9.0, Status.FAILED, "stale")
                .span("x", 1, 2, Outcome.ERROR, Kind.PHASE));

    assertThat(state.reason()).isEqualTo("stale");
  }
}
