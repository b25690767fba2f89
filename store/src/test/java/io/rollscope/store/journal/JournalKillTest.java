package io.rollscope.store.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.store.disk.RealDisk;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The out-of-memory killer, a scheduler that evicts, an impatient operator: SIGKILL, for real. */
class JournalKillTest {
  private static final int ROUNDS = 20;

  @TempDir Path folder;

  @Test
  void everythingThatAKilledProcessAcknowledgedIsRecovered() throws Exception {
    Random random = new Random();
    List<Long> acknowledged = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      acknowledged.addAll(killAfter(1 + random.nextInt(2000)));
      List<Long> recovered = recover();
      assertThat(recovered).as("round %d", round).isSorted().doesNotHaveDuplicates();
      assertThat(recovered).as("round %d", round).containsSubsequence(acknowledged);
    }
  }

  @Test
  void aRunningProcessKeepsOthersOutAndAKilledOneDoesNot() throws Exception {
    Process process = start();
    try (BufferedReader out = process.inputReader(UTF_8)) {
      assertThat(out.readLine()).as("it has the journal open").isEqualTo("1");
      assertThatThrownBy(this::recover)
          .isInstanceOf(JournalLockedException.class)
          .hasMessageContaining("in use by pid " + process.pid() + " (expected: one writer)");
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(recover()).startsWith(1L);
  }

  private Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx64m",
            "-cp",
            System.getProperty("java.class.path"),
            AppendForEver.class.getName(),
            folder.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private List<Long> killAfter(int acknowledgements) throws Exception {
    Process process = start();
    List<Long> acknowledged = new ArrayList<>();
    try (BufferedReader out = process.inputReader(UTF_8)) {
      String line = out.readLine();
      while (line != null) {
        acknowledged.add(Long.valueOf(line));
        if (acknowledged.size() == acknowledgements) {
          // Not process.destroyForcibly(): that closes the pipe, and acknowledgements in it are
          // lost.
          process.toHandle().destroyForcibly();
        }
        line = out.readLine();
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(acknowledgements);
    assertThat(process.exitValue()).as("killed").isEqualTo(128 + 9);
    return acknowledged;
  }

  private List<Long> recover() throws IOException {
    List<Long> numbers = new ArrayList<>();
    FrameReceiver receiver =
        (position, frame) -> {
          long number = ByteBuffer.wrap(frame.payload()).getLong();
          assertThat(frame.payload()).isEqualTo(AppendForEver.frame(number).payload());
          assertThat(frame.source()).isEqualTo(AppendForEver.frame(number).source());
          numbers.add(number);
        };
    try (Journal journal = Journal.open(new RealDisk(), folder, AppendForEver.OPTIONS, receiver)) {
      assertThat(journal.recovery().damages()).isEmpty();
    }
    return numbers;
  }
}
