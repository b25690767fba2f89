package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.RealDisk;
import io.rollscope.store.testkit.FaultyDisk;
import io.rollscope.store.testkit.FaultyDisk.Fault;
import io.rollscope.store.testkit.PowerLossDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The disk fails, or the power goes, while small segments are merged and the old ones deleted: at
 * every call with {@code -Drollscope.soak=true}, at a sample of them without.
 */
@Tag("slow")
class CompactionFaultTest {
  private static final boolean SOAK = Boolean.getBoolean("rollscope.soak");
  private static final int SAMPLES = 4;
  private static final int SESSIONS = 9;

  private final AtomicLong clock = new AtomicLong(Sender.at(100));
  @TempDir Path folder;
  private Path small;
  private long then;

  @BeforeEach
  void nineSmallSegments() throws Exception {
    small = folder.resolve("small");
    makeSmall(small, new RealDisk());
    then = clock.get();
  }

  private void makeSmall(Path data, Disk disk) throws Exception {
    clock.set(Sender.at(100));
    try (TestStore store = TestStore.open(data, disk, clock)) {
      for (int i = 1; i <= SESSIONS; i++) {
        store
            .sender()
            .span(i, 1, 0, "rollout", 0, 10)
            .attribute("rl.kind", "session")
            .attribute("rl.session.id", "s-" + i)
            .send();
        store.sender().sendGauge("loss", i, i);
        store.awaitSpans(i);
        store.store().awaitApplied();
        store.seal();
      }
    }
    clock.addAndGet(200 * Sender.SECOND);
  }

  private Path copyOfSmall(String name) throws IOException {
    Path to = folder.resolve(name);
    try (Stream<Path> all = Files.walk(small)) {
      for (Path file : (Iterable<Path>) all::iterator) {
        Files.copy(file, to.resolve(small.relativize(file).toString()));
      }
    }
    return to;
  }

  /** Merges, and deletes the old files a while later. */
  private static void merge(TestStore store) {
    store.tick();
    store.pass(100);
    store.tick();
  }

  private static void isWhole(TestStore store) throws Exception {
    assertThat(store.query("select count(*), count(distinct trace_id) from spans"))
        .containsExactly(SESSIONS + "|" + SESSIONS);
    assertThat(store.query("select count(*), count(distinct session) from sessions"))
        .containsExactly(SESSIONS + "|" + SESSIONS);
    assertThat(store.query("select count(*), count(distinct value) from metrics"))
        .containsExactly(SESSIONS + "|" + SESSIONS);
    assertThat(store.store().health().damaged()).isEmpty();
  }

  private TestStore open(Path data, Disk disk) throws IOException {
    clock.set(then);
    return TestStore.open(data, disk, clock);
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void nothingIsLostWhicheverCallOfAMergeFails(Fault fault) throws Exception {
    FaultyDisk healthy = new FaultyDisk(new RealDisk());
    int from;
    int to;
    try (TestStore store = open(copyOfSmall("healthy"), healthy)) {
      from = healthy.calls().size();
      merge(store);
      to = healthy.calls().size();
      assertThat(store.store().numbers().segments()).isEqualTo(1);
    }
    int step = SOAK ? 1 : Math.max(1, (to - from) / SAMPLES);
    for (int call = from + 1 + fault.ordinal(); call <= to; call += step) {
      FaultyDisk disk = new FaultyDisk(new RealDisk());
      disk.failCall(call, fault);
      Path data = copyOfSmall("call-" + call);
      try {
        try (TestStore store = open(data, disk)) {
          merge(store);
          disk.setBroken(false);
          isWhole(store);
        }
        try (TestStore store = open(data, new RealDisk())) {
          isWhole(store);
          merge(store);
          isWhole(store);
        }
      } catch (Exception | AssertionError e) {
        String what = disk.calls().size() < call ? "none" : disk.calls().get(call - 1);
        throw new AssertionError("call " + call + " (" + what + ") failed: " + fault, e);
      }
    }
  }

  @Test
  void everythingIsThereWheneverThePowerGoesDuringAMerge() throws Exception {
    PowerLossDisk disk = new PowerLossDisk(new RealDisk());
    FaultyDisk watched = new FaultyDisk(disk);
    Path data = folder.resolve("watched");
    makeSmall(data, watched);
    List<Path> outages = new ArrayList<>();
    List<String> before = new ArrayList<>();
    int every = SOAK ? 1 : 9;
    try (TestStore store = open(data, watched)) {
      watched.watch(
          call -> {
            before.add(call);
            if (before.size() % every == 0) {
              Path copy = folder.resolve("outage-" + before.size());
              try {
                disk.afterPowerLoss(data, copy);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
              outages.add(copy);
            }
          });
      merge(store);
      watched.watch(call -> {});
    }
    assertThat(outages).hasSizeGreaterThan(3);
    for (Path outage : outages) {
      try (TestStore store = open(outage, new RealDisk())) {
        isWhole(store);
      } catch (Exception | AssertionError e) {
        throw new AssertionError("outage: " + outage.getFileName(), e);
      }
    }
  }
}
