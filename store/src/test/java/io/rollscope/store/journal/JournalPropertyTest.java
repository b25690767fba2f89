package io.rollscope.store.journal;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Whatever happens, in whatever order: what was acknowledged is there. */
class JournalPropertyTest {
  private static final JournalOptions SMALL =
      JournalOptions.defaults().withFileBytes(400).withMaxFrameBytes(300).withMaxInFlight(700, 6);

  @Property(tries = 400)
  void everythingAcknowledgedIsThereAfterAnySequenceOfEvents(
      @ForAll @Size(max = 40) List<@IntRange(min = 0, max = 99) Integer> steps, @ForAll long seed)
      throws IOException {
    Random random = new Random(seed);
    JournalModel model = new JournalModel(SMALL);
    model.open();
    for (int step : steps) {
      perform(model, step, random);
    }
    model.disk.setBroken(false);
    model.disk.setSpace(Long.MAX_VALUE);
    model.losePower(random);
    model.open();
    model.close();
  }

  private static void perform(JournalModel model, int step, Random random) throws IOException {
    if (step < 55) {
      model.append(1 + step % 9, random.nextInt(200));
    } else if (step < 63) {
      model.checkpoint(step % 4, random.nextInt(200));
    } else if (step < 70) {
      model.deleteBefore(random.nextInt(1000));
    } else if (step < 75) {
      model.disk.setSpace(random.nextInt(600));
    } else if (step < 80) {
      model.disk.setSpace(Long.MAX_VALUE);
    } else if (step < 85) {
      model.disk.setBroken(true);
    } else if (step < 90) {
      model.disk.setBroken(false);
    } else {
      model.disk.setBroken(false);
      stop(model, step, random);
      model.open();
    }
  }

  private static void stop(JournalModel model, int step, Random random) {
    switch (step) {
      case 90, 91 -> model.close();
      case 92, 93, 94 -> model.kill();
      case 95, 96 -> model.losePower(null);
      default -> model.losePower(random);
    }
  }
}
