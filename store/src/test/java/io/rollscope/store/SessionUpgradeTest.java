package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.store.disk.AppendFile;
import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.RealDisk;
import io.rollscope.store.testkit.FaultyDisk;
import io.rollscope.store.testkit.FaultyDisk.Fault;
import io.rollscope.store.testkit.OldSegments;
import io.rollscope.store.testkit.PowerLossDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Sessions that an earlier version sealed get their ends and waits from their spans at the start
 * (contracts.md 7.7), whatever the disk does meanwhile.
 */
class SessionUpgradeTest {
  private static final boolean SOAK = Boolean.getBoolean("rollscope.soak");
  private static final int SAMPLES = 6;
  private static final String TIMES =
      "select session, span_count, work_ns // 1000000000, own_ns // 1000000000,"
          + " siblings_ns // 1000000000 from sessions order by session";
  private static final String SPANS = "select count(*), count(distinct span_id) from spans";

  /** The first of a group waits for the second, whose engine reported late: in two segments. */
  private static final List<String> TOLD = List.of("s-1|3|20|5|13", "s-2|4|20|18|0");

  private final AtomicLong clock = new AtomicLong(Sender.at(100));
  @TempDir Path folder;
  private Path old;
  private long then;

  @BeforeEach
  void dataOfAnEarlierVersion() throws Exception {
    old = folder.resolve("old");
    make(old, new RealDisk());
    then = clock.get();
  }

  private void make(Path data, Disk disk) throws Exception {
    clock.set(Sender.at(100));
    try (TestStore store = TestStore.open(data, disk, clock)) {
      session(store, 1, 5);
      session(store, 2, 18);
      store.awaitSpans(6);
      store.sealAll();
      store.sender().span(2, 14, 13, "engine", 2, 18).send();
      store.awaitSpans(7);
      store.sealAll();
      assertThat(store.store().numbers().segments()).isEqualTo(2);
    }
    OldSegments.withoutColumnsOfSessions(data);
    Path segments = data.resolve("segments/v1");
    for (String file : disk.list(segments)) {
      try (AppendFile changed = disk.openForAppend(segments.resolve(file))) {
        changed.force(); // The disk did not see that they were changed.
      }
    }
    disk.forceFolder(segments);
  }

  private static void session(TestStore store, long trace, long done) {
    long first = (trace - 1) * 10;
    store
        .sender()
        .span(trace, first + 1, 0, "rollout", 0, 20)
        .attribute("rl.kind", "session")
        .attribute("rl.session.id", "s-" + trace)
        .attribute("rl.task.id", "task-1")
        .span(trace, first + 2, first + 1, "group", 0, 20)
        .span(trace, first + 3, first + 2, "generate", 0, (double) done)
        .send();
  }

  private Path copyOfOld(String name) throws IOException {
    Path to = folder.resolve(name);
    try (Stream<Path> all = Files.walk(old)) {
      for (Path file : (Iterable<Path>) all::iterator) {
        Files.copy(file, to.resolve(old.relativize(file).toString()));
      }
    }
    return to;
  }

  private TestStore open(Path data, Disk disk) throws IOException {
    clock.set(then);
    return TestStore.open(data, disk, clock);
  }

  private static void isUpgraded(TestStore store) throws Exception {
    assertThat(store.query(TIMES)).isEqualTo(TOLD);
    assertThat(store.query(SPANS)).containsExactly("7|7");
    assertThat(store.store().health().damaged()).isEmpty();
  }

  private static List<String> files(Path data) throws IOException {
    try (Stream<Path> all = Files.list(data.resolve("segments/v1"))) {
      List<String> found = new ArrayList<>();
      for (Path file : (Iterable<Path>) all.sorted()::iterator) {
        found.add(file.getFileName() + " " + Files.getLastModifiedTime(file));
      }
      return found;
    }
  }

  @Test
  void sessionsOfAnEarlierVersionTellWhatTheyWaitedFor() throws Exception {
    try (TestStore store = open(old, new RealDisk())) {
      isUpgraded(store);
    }
    List<String> upgraded = files(old);
    assertThat(upgraded).noneMatch(file -> file.startsWith("sessions-00000001.parquet"));
    assertThat(upgraded).anyMatch(file -> file.startsWith("sessions-00000001.v3.parquet"));
    assertThat(DataFolder.verify(old, (bytes, of) -> {}, problem -> {}).damaged()).isZero();
    try (TestStore store = open(old, new RealDisk())) {
      assertThat(files(old)).as("what is up to date is left alone").isEqualTo(upgraded);
      isUpgraded(store);
    }
  }

  @Test
  void aSessionThatGoesOnAfterTheUpgradeIsToldAsOne() throws Exception {
    try (TestStore store = open(old, new RealDisk())) {
      store.sender().span(1, 4, 3, "tool", 1, 5).send();
      store.awaitSpans(1);
      store.sealAll();
      assertThat(store.query(TIMES)).isEqualTo(List.of("s-1|4|20|5|13", TOLD.get(1)));
    }
  }

  @Test
  void aFolderWithoutItsManifestIsUpgradedToo() throws Exception {
    Files.delete(old.resolve("segments/v1/manifest.json"));
    try (TestStore store = open(old, new RealDisk())) {
      assertThat(store.query(TIMES)).isEqualTo(TOLD);
    }
    Files.delete(old.resolve("segments/v1/manifest.json"));
    try (TestStore store = open(old, new RealDisk())) {
      assertThat(store.query(TIMES)).isEqualTo(TOLD);
      assertThat(store.query(SPANS)).containsExactly("7|7");
    }
  }

  @Test
  void aSegmentThatCannotBeReadIsSetAsideAndTheRestUpgraded() throws Exception {
    Path file = old.resolve("segments/v1/spans-00000002.parquet");
    byte[] all = Files.readAllBytes(file);
    Arrays.fill(all, 4, all.length - 8, (byte) 7);
    Files.write(file, all);
    try (TestStore store = open(old, new RealDisk())) {
      assertThat(store.query(TIMES)).isEqualTo(List.of(TOLD.get(0), "s-2|3|20|18|0"));
      assertThat(store.store().health().damaged()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void nothingIsLostWhicheverCallOfAnUpgradeFails(Fault fault) throws Exception {
    FaultyDisk healthy = new FaultyDisk(new RealDisk());
    int calls;
    try (TestStore store = open(copyOfOld("healthy"), healthy)) {
      calls = healthy.calls().size();
      isUpgraded(store);
    }
    int step = SOAK ? 1 : Math.max(1, calls / SAMPLES);
    for (int call = 1 + fault.ordinal(); call <= calls; call += step) {
      FaultyDisk disk = new FaultyDisk(new RealDisk());
      disk.failCall(call, fault);
      Path data = copyOfOld("call-" + call);
      try {
        try (TestStore store = open(data, disk)) {
          disk.setBroken(false);
          isUpgraded(store);
        } catch (IOException e) {
          // It does not start, and says why: the disk failed.
        }
        try (TestStore store = open(data, new RealDisk())) {
          isUpgraded(store);
        }
      } catch (Exception | AssertionError e) {
        String what = disk.calls().size() < call ? "none" : disk.calls().get(call - 1);
        throw new AssertionError("call " + call + " (" + what + ") failed: " + fault, e);
      }
    }
  }

  @Test
  void everythingIsThereWheneverThePowerGoesDuringAnUpgrade() throws Exception {
    PowerLossDisk disk = new PowerLossDisk(new RealDisk());
    FaultyDisk watched = new FaultyDisk(disk);
    Path data = folder.resolve("watched");
    make(data, watched);
    List<Path> outages = new ArrayList<>();
    List<String> before = new ArrayList<>();
    int every = SOAK ? 1 : 7;
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
    try (TestStore store = open(data, watched)) {
      watched.watch(call -> {});
      isUpgraded(store);
    }
    assertThat(outages).hasSizeGreaterThan(3);
    for (Path outage : outages) {
      try (TestStore store = open(outage, new RealDisk())) {
        isUpgraded(store);
      } catch (Exception | AssertionError e) {
        throw new AssertionError("outage: " + outage.getFileName(), e);
      }
    }
  }
}
