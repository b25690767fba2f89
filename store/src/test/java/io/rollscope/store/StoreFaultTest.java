package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.store.disk.RealDisk;
import io.rollscope.store.testkit.FaultyDisk;
import io.rollscope.store.testkit.FaultyDisk.Fault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fails one call of the disk after the other. All of them with {@code -Drollscope.soak=true}, a
 * sample without.
 */
@Tag("slow")
class StoreFaultTest {
  private static final int SAMPLES = 6;
  private static final int AT_ONCE = 2;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Fault.class)
  void nothingAcknowledgedIsLostWhicheverCallFails(Fault fault) throws Exception {
    FaultyDisk healthy = new FaultyDisk(new RealDisk());
    FaultScenario all = new FaultScenario(Files.createTempDirectory(folder, "all"), healthy);
    assertThat(all.live()).isTrue();
    all.recovers();
    all.close();
    all.check();
    int calls = healthy.calls().size();
    int step = Boolean.getBoolean("rollscope.soak") ? 1 : Math.max(1, calls / SAMPLES);
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int call = 1 + fault.ordinal(); call <= calls; call += step) {
        int n = call;
        running.add(threads.submit(() -> failing(n, fault)));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      threads.shutdown();
    }
  }

  private Void failing(int call, Fault fault) throws Exception {
    FaultyDisk disk = new FaultyDisk(new RealDisk());
    disk.failCall(call, fault);
    FaultScenario day = new FaultScenario(Files.createTempDirectory(folder, "day"), disk);
    try {
      boolean began = day.live();
      disk.setBroken(false);
      if (began) {
        day.recovers();
        day.close();
      }
      day.check();
      return null;
    } catch (Exception | AssertionError e) {
      String what = disk.calls().size() < call ? "none" : disk.calls().get(call - 1);
      throw new AssertionError("call " + call + " (" + what + ") failed: " + fault, e);
    }
  }
}
