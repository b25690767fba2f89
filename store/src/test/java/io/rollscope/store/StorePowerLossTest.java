package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.store.disk.RealDisk;
import io.rollscope.store.testkit.FaultyDisk;
import io.rollscope.store.testkit.PowerLossDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The power goes between two calls of the disk: any two with {@code -Drollscope.soak=true}. */
@Tag("slow")
class StorePowerLossTest {
  private static final int EVERY = Boolean.getBoolean("rollscope.soak") ? 1 : 13;

  @TempDir Path data;
  @TempDir Path copies;

  private record Outage(Path folder, String before, FaultScenario.Known known) {}

  @Test
  void everythingAcknowledgedIsThereWheneverThePowerGoes() throws Exception {
    PowerLossDisk disk = new PowerLossDisk(new RealDisk());
    FaultyDisk watched = new FaultyDisk(disk);
    FaultScenario day = new FaultScenario(data, watched);
    List<Outage> outages = new ArrayList<>();
    AtomicInteger calls = new AtomicInteger();
    watched.watch(
        call -> {
          if (calls.incrementAndGet() % EVERY == 0) {
            synchronized (outages) {
              outages.add(outage(disk, day, call, outages.size()));
            }
          }
        });
    assertThat(day.live()).isTrue();
    day.close();
    watched.watch(call -> {});
    assertThat(outages).hasSizeGreaterThan(150 / EVERY);
    for (Outage outage : outages) {
      try {
        day.check(outage.folder(), outage.known());
      } catch (Exception | AssertionError e) {
        throw new AssertionError(outage.folder() + ", before: " + outage.before(), e);
      }
    }
  }

  private Outage outage(PowerLossDisk disk, FaultScenario day, String call, int number) {
    Path folder = copies.resolve(String.valueOf(number));
    FaultScenario.Known known = day.known();
    try {
      disk.afterPowerLoss(data, folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Outage(folder, call, known);
  }
}
