package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Others have accounts on the machine too. */
class OwnerOnlyTest {
  private final AtomicLong clock = new AtomicLong(Sender.at(100));
  @TempDir Path folder;

  @Test
  void nobodyElseMayReadWhatIsStored() throws Exception {
    Path data = folder.resolve("data");
    try (TestStore store = TestStore.open(data, clock)) {
      store.sender().span(1, 1, 0, "rollout", 0, 10).send();
      store.sender().sendGauge("loss", 10, 1);
      store.awaitSpans(1);
      store.sealAll();
    }
    List<Path> all;
    try (Stream<Path> found = Files.walk(data)) {
      all = found.toList();
    }
    assertThat(all).hasSizeGreaterThan(10);
    for (Path each : all) {
      String expected = Files.isDirectory(each) ? "rwx------" : "rw-------";
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
          .as(each.toString())
          .isEqualTo(expected);
    }
  }
}
