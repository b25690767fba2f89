package io.rollscope.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.store.testkit.FaultyDisk.Fault;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A disk that fails: every call of a scenario in turn, each in every way. */
class JournalFaultTest {
  private static final JournalOptions SMALL = JournalOptions.defaults().withFileBytes(300);

  @ParameterizedTest
  @EnumSource(Fault.class)
  void aFailureOfAnyCallLosesNothingAcknowledged(Fault fault) throws IOException {
    int faults = 0;
    boolean failed = true;
    for (int n = 1; failed; n++) {
      for (int end = 0; end < 4; end++) {
        JournalModel model = new JournalModel(SMALL);
        model.disk.failCall(n, fault);
        scenario(model);
        failed = model.disk.hasFailed();
        model.disk.failCall(0, Fault.BEFORE);
        model.disk.setBroken(false);
        stop(model, end, n);
        model.open();
        model.losePower(null); // what an opening has handed out is durable
        model.open();
        assertThat(model.append(1, 10)).as("after call %d failed", n).isEqualTo(1);
        model.losePower(null);
        model.open();
        model.close();
      }
      faults++;
    }
    assertThat(faults).as("calls that were failed").isGreaterThan(80);
  }

  private static void scenario(JournalModel model) throws IOException {
    openDespiteFault(model);
    model.append(1, 50);
    model.append(3, 60);
    model.append(1, 5);
    model.checkpoint(2, 30);
    model.append(1, 20);
    model.deleteBefore(4);
    model.append(2, 100);
    model.close();
    openDespiteFault(model);
    model.append(1, 20);
    model.checkpoint(1, 400);
    model.deleteBefore(3);
    model.append(1, 20);
  }

  private static void openDespiteFault(JournalModel model) throws IOException {
    try {
      model.open();
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("injected");
      model.disk.setBroken(false);
      model.open();
    }
  }

  private static void stop(JournalModel model, int end, int seed) {
    switch (end) {
      case 0 -> model.close();
      case 1 -> model.kill();
      case 2 -> model.losePower(null);
      default -> model.losePower(new Random(seed));
    }
  }

  /** Another program fills the disk, an operator makes room: no restart is needed. */
  @Test
  void aFullDiskFailsAppendsUntilThereIsRoomAgain() throws IOException {
    JournalModel model = new JournalModel(JournalOptions.defaults());
    model.open();
    assertThat(model.append(3, 100)).isEqualTo(3);
    model.disk.setSpace(150);
    assertThat(model.append(1, 100)).isEqualTo(1);
    for (int i = 0; i < 5; i++) {
      assertThat(model.append(1, 100)).isZero();
    }
    assertThat(model.journal().health())
        .isInstanceOfSatisfying(
            JournalHealth.Failing.class,
            failing -> assertThat(failing.reason()).contains("No space left on device"));
    assertThat(model.journal().numbers().failures()).isEqualTo(5);
    model.disk.setSpace(10_000);
    assertThat(model.append(2, 100)).isEqualTo(2);
    assertThat(model.journal().health()).isEqualTo(new JournalHealth.Ok());
    assertThat(model.journal().numbers().files()).as("still the first file").isEqualTo(1);
    model.losePower(null);
    model.open();
    assertThat(model.journal().recovery().clean()).isTrue();
    assertThat(model.requiredFrames()).isEqualTo(6);
    model.close();
  }

  /** After a failed fsync Linux may call pages clean that it never wrote. */
  @Test
  void aFileWhoseForceFailedIsNeverWrittenAgain() throws IOException {
    JournalModel model = new JournalModel(JournalOptions.defaults());
    model.open();
    model.append(1, 10);
    model.disk.failCall(2, Fault.BEFORE); // write, force
    assertThat(model.append(1, 10)).isZero();
    assertThat(model.append(1, 10)).isEqualTo(1);
    assertThat(model.journal().numbers().files()).isEqualTo(2);
    model.close();
    model.open();
    assertThat(model.requiredFrames()).isEqualTo(2);
    model.close();
  }

  @Test
  void aDiskThatFailsEntirelyIsUsedAgainWhenItWorks() throws IOException {
    JournalModel model = new JournalModel(SMALL);
    model.open();
    model.append(2, 50);
    model.disk.setBroken(true);
    assertThat(model.append(2, 50)).isZero();
    assertThat(model.checkpoint(1, 50)).isFalse();
    assertThat(model.append(2, 50)).isZero();
    model.disk.setBroken(false);
    assertThat(model.append(2, 50)).isEqualTo(2);
    assertThat(model.checkpoint(1, 50)).isTrue();
    model.losePower(new Random(1));
    model.open();
    model.close();
  }

  @Test
  void whatAFailedCreationLeftIsNotBuiltUpon() throws IOException {
    JournalModel model = new JournalModel(SMALL);
    model.open();
    model.disk.failCall(4, Fault.ONWARDS); // open, truncate, write, force
    assertThat(model.append(1, 10)).isZero();
    model.disk.setBroken(false);
    assertThat(model.append(1, 10)).isEqualTo(1);
    model.close();
    model.open();
    assertThat(model.journal().recovery().clean()).isTrue();
    assertThat(model.requiredFrames()).isEqualTo(1);
    model.close();
  }
}
