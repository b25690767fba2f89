package io.rollscope.formats.folder;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.model.Worker;
import io.rollscope.formats.folder.Beginnings.Seen;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two runs of one name, and what only looks so. */
class BeginningsTest {
  private static final long MINUTE = 60_000_000_000L;

  /** Of worker {@code rank}; times in minutes. */
  private static Seen seen(long rank, long from, long to, boolean ended, Long step) {
    return new Seen(
        new Worker("rollout", rank), from * MINUTE, to * MINUTE, ended, step, from * MINUTE);
  }

  private static List<Long> begun(Seen... processes) {
    return Beginnings.of(List.of(processes)).stream().map(ns -> ns / MINUTE).toList();
  }

  @Test
  void aRunThatBeginsAgainAfterAllItsProcessesEndedWasBegunTwice() {
    assertThat(
            begun(
                seen(1, 41, 60, true, 1L),
                seen(0, 0, 40, true, 1L),
                seen(1, 1, 39, true, null),
                seen(0, 42, 50, false, 2L)))
        .containsExactly(0L, 41L);
    assertThat(begun(seen(0, 0, 4, true, 3L), seen(0, 5, 6, true, 1L), seen(0, 7, 9, true, 0L)))
        .containsExactly(0L, 5L, 7L);
  }

  @Test
  void withoutAGoodbyeItTakesASilenceOfMoreThanTenMinutes() {
    assertThat(begun(seen(0, 0, 40, false, 1L), seen(0, 50, 60, true, 1L))).containsExactly(0L);
    assertThat(begun(seen(0, 0, 40, false, 1L), seen(0, 51, 60, true, 1L)))
        .containsExactly(0L, 51L);
  }

  @Test
  void aWorkerThatIsStartedAgainWhileOthersGoOnIsUsual() {
    assertThat(begun(seen(0, 0, 90, true, 1L), seen(1, 1, 20, true, 1L), seen(1, 40, 90, true, 1L)))
        .containsExactly(0L);
  }

  @Test
  void aRunThatGoesOnFromACheckpointWasBegunOnce() {
    assertThat(begun(seen(0, 0, 40, true, 1L), seen(0, 100, 140, true, 7L))).containsExactly(0L);
  }

  @Test
  void otherWorkersOrUnknownStepsSayNothing() {
    assertThat(begun(seen(0, 0, 40, true, 1L), seen(3, 100, 140, true, 1L))).containsExactly(0L);
    assertThat(begun(seen(0, 0, 40, true, null), seen(0, 100, 140, true, 1L))).containsExactly(0L);
    assertThat(begun(seen(0, 0, 40, true, 1L), seen(0, 100, 140, true, null))).containsExactly(0L);
    Seen nobody = new Seen(Worker.UNKNOWN, 0, MINUTE, true, 1L, 0);
    Seen nobodyLater = new Seen(Worker.UNKNOWN, 9 * MINUTE, 10 * MINUTE, true, 1L, 9 * MINUTE);
    assertThat(begun(nobody, nobodyLater)).containsExactly(0L);
    assertThat(begun()).isEmpty();
  }
}
