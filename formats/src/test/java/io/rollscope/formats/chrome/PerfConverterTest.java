package io.rollscope.formats.chrome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.rollscope.formats.output.OutputFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is better than in the original, and that nothing is lost on the way. */
class PerfConverterTest {
  @TempDir Path folder;

  @Test
  void threadsKeepTheNamesTheTracerGaveThem() throws Exception {
    Perf perf = Perf.usual(Perf.sampleTrial());

    assertThat(perf.names("process_name"))
        .containsExactly("Rank 0, Process 8807", "Rank 1, Process 8808");
    assertThat(perf.names("thread_name"))
        .contains("MainThread", "AsyncTaskRunner", "TaskProducer", "AsyncTaskRunner (2)")
        .noneMatch(name -> name.startsWith("[Thread"));
  }

  @Test
  void profilerLanesKeepTheirNamesAlthoughTheyHaveARankButNoRole() throws Exception {
    Path file =
        Perf.write(
            folder.resolve("traces-r0.jsonl"),
            "{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 5, \"tid\": -2, \"args\": {\"name\":"
                + " \"[Profiler Stream 7]\", \"rank\": 0}}",
            Perf.slice("kernel", 1, 1, 5, -2, "0, \"role\": \"actor\""),
            Perf.slice("step", 1, 5, 5, 5, "0, \"role\": \"actor\""));

    assertThat(Perf.usual(file).names("thread_name"))
        .containsExactly("[Thread 5]", "[Profiler Stream 7]");
    assertThat(Perf.compatible(file).names("thread_name"))
        .containsExactly("[Thread 5]", "[Thread -2]");
  }

  @Test
  void ranksArePutOnOneClockByTheirBarriers() throws Exception {
    Perf perf = Perf.usual(Perf.sampleTrial());

    ProcessClock late = perf.result.clocks().get(1);
    assertThat(late.worker().rank()).isEqualTo(1);
    assertThat(late.offsetNs() / 1e6).isCloseTo(1734, within(5.0));
    assertThat(late.spreadNs() / 1e6).isLessThan(5);
    assertThat(late.pairs()).isGreaterThan(10);
    assertThat(perf.trace.at("/otherData/clocks/1/offset_us").asDouble())
        .isEqualTo(late.offsetNs() / 1e3);
    double first = startOf(perf, "train.compute_advantage", 1, 1);
    double second = startOf(perf, "train.compute_advantage", 1, 2);
    assertThat(second).isCloseTo(first, within(5_000.0));
  }

  private static double startOf(Perf perf, String name, int step, int pid) {
    return perf.event(
            e ->
                e.get("name").asText().equals(name)
                    && e.at("/args/global_step").asInt() == step
                    && e.get("pid").asInt() == pid)
        .get("ts")
        .asDouble();
  }

  @Test
  void aRankThatStartedEarlierIsNotMovedBeforeTimeZero() throws Exception {
    // Perfetto drops events with negative times.
    Path late = Perf.write(folder.resolve("traces-r0.jsonl"), steps(0, 0));
    Path early = Perf.write(folder.resolve("traces-r1.jsonl"), steps(1, 700));

    Perf perf = Perf.usual(late, early);

    assertThat(perf.result.clocks())
        .extracting(ProcessClock::offsetNs)
        .containsExactly(700_000L, 0L);
    assertThat(Perf.ints(perf.events(), "/ts")).containsExactly(700, 700, 800, 800, 900, 900);
  }

  private static String[] steps(int rank, int from) {
    List<String> lines = new ArrayList<>();
    for (int step = 0; step < 3; step++) {
      String args = rank + ", \"global_step\": " + step;
      lines.add(Perf.slice("train.step", from + 100 * step, 50, 5, 5, args));
    }
    return lines.toArray(String[]::new);
  }

  @Test
  void aRestartedProcessIsNotLaidOverTheOneBefore() throws Exception {
    // Recovery appends to the same files, with new pids, and may repeat steps.
    List<String> r0 = new ArrayList<>(List.of(steps(0, 1000)));
    List<String> r1 = new ArrayList<>(List.of(steps(1, 3000)));
    for (String line : steps(0, 0)) {
      r0.add(line.replace("\"pid\": 5", "\"pid\": 6"));
    }
    for (String line : steps(1, 40)) {
      r1.add(line.replace("\"pid\": 5", "\"pid\": 6"));
    }

    Perf perf =
        Perf.usual(
            Perf.write(folder.resolve("traces-r0.jsonl"), r0.toArray(String[]::new)),
            Perf.write(folder.resolve("traces-r1.jsonl"), r1.toArray(String[]::new)));

    assertThat(perf.result.clocks())
        .extracting(c -> c.worker().rank() + "/" + c.pid() + " " + c.offsetNs() / 1000)
        .containsExactly("0/5 2000", "0/6 40", "1/5 0", "1/6 0");
  }

  @Test
  void slicesOfOneRowAlwaysNest() throws Exception {
    Perf perf = Perf.usual(Perf.sampleTrial());

    assertThat(perf.result.moved()).isGreaterThan(100);
    assertThat(perf.events().stream().filter(e -> e.get("ph").asText().equals("X"))).hasSize(1415);
    assertNesting(perf);
  }

  @Test
  void onlySlicesThatOverlapAreMoved() throws Exception {
    Path file =
        Perf.write(
            folder.resolve("traces-r0.jsonl"),
            Perf.slice("inside", 20, 10, 5, 5, "0"),
            Perf.slice("first", 0, 100, 5, 5, "0"),
            Perf.slice("overlapping", 50, 100, 5, 5, "0"),
            Perf.slice("after", 160, 10, 5, 5, "0"));

    Perf perf = Perf.usual(file);

    assertThat(perf.result.moved()).isEqualTo(1);
    assertThat(Perf.ints(perf.events(), "/tid")).containsExactly(1, 1, 2, 1);
    assertThat(perf.names("thread_name")).containsExactly("[Thread 5]", "[Thread 5] (2)");
  }

  @Test
  void aSliceThatOutlastsItsParentByRoundingStaysInside() throws Exception {
    // 10.9 + 9.9 us are written as 10 + 9; its child of 18.0 + 2.8 us, within it, as 18 + 2.
    Path file =
        Perf.write(
            folder.resolve("traces-r0.jsonl"),
            Perf.slice("child", 18, 1, 5, 5, "0"),
            Perf.slice("last child", 18, 2, 5, 5, "0"),
            Perf.slice("parent", 10, 9, 5, 5, "0"));

    Perf perf = Perf.usual(file);

    assertThat(perf.result.moved()).isZero();
    assertNesting(perf);
    assertThat(perf.event(e -> e.get("name").asText().equals("last child")).get("dur").asInt())
        .isEqualTo(1);
  }

  @Test
  void ofEqualSlicesTheOneWrittenLaterIsTheOuter() throws Exception {
    Path file =
        Perf.write(
            folder.resolve("traces-r0.jsonl"),
            Perf.slice("inner", 10, 1, 5, 5, "0"),
            Perf.slice("outer", 10, 1, 5, 5, "0"));

    assertThat(Perf.usual(file).events())
        .extracting(e -> e.get("name").asText())
        .containsExactly("outer", "inner");
  }

  private static void assertNesting(Perf perf) {
    Map<String, ArrayDeque<Double>> open = new HashMap<>();
    for (JsonNode e : perf.events()) {
      if (e.get("ph").asText().equals("X")) {
        double start = e.get("ts").asDouble();
        double end = start + e.get("dur").asDouble();
        ArrayDeque<Double> stack =
            open.computeIfAbsent(e.get("pid") + "/" + e.get("tid"), k -> new ArrayDeque<>());
        while (!stack.isEmpty() && stack.peek() <= start) {
          stack.pop();
        }
        assertThat(stack.isEmpty() || stack.peek() >= end).as("%s nests", e).isTrue();
        stack.push(end);
      }
    }
  }

  @Test
  void whatIsNotReplacedStaysByteByByte() throws Exception {
    String odd =
        "{ \"args\" : {\"rank\":0,\"big\":123456789012345678901234567890,\"f\":1.50e+3,\"t\":\"\\u00e9\\/"
            + "é\"},\"ts\":5.25,\"ph\":\"X\",\"dur\":1.0,\"tid\":\"main\",\"pid\":\"p\",\"name\":\"n\" }";
    Path file = Perf.write(folder.resolve("traces.jsonl"), "  " + odd + "\r");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    new PerfConverter(PerfConverter.Options.usual()).convert(List.of(file), OutputFile.to(bytes));

    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .contains("\n" + odd.replace("\"main\"", "1").replace("\"p\"", "1") + "\n");
  }

  @Test
  void spillingGivesTheSameBytes() throws Exception {
    for (PerfConverter.Options options :
        List.of(PerfConverter.Options.usual(), PerfConverter.Options.likeAreal())) {
      byte[] inMemory = bytes(options, Long.MAX_VALUE, 0);
      // The piece that is the first file goes to disk when the second comes.
      assertThat(bytes(options, 1, 1)).isEqualTo(inMemory);
    }
    try (var left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  private byte[] bytes(PerfConverter.Options options, long buffer, int spills) throws IOException {
    Path result = folder.resolve("traces.json");
    try (OutputFile out = OutputFile.at(result, List.of(Perf.sampleTrial()))) {
      PerfConverter converter = new PerfConverter(options, buffer);
      PerfConverter.Result done = converter.convert(List.of(Perf.sampleTrial()), out);
      assertThat(done.spilledFiles()).isEqualTo(spills);
      out.commit();
    }
    byte[] bytes = Files.readAllBytes(result);
    Files.delete(result);
    return bytes;
  }

  @Test
  void aFullDiskLeavesNothingBehind() throws Exception {
    Path result = folder.resolve("traces.json");
    Files.writeString(result, "old");
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };

    assertThatThrownBy(
            () -> {
              try (OutputFile out = OutputFile.at(result, List.of());
                  OutputFile broken = OutputFile.to(full)) {
                out.stream().write('{');
                new PerfConverter(PerfConverter.Options.usual(), 1)
                    .convert(List.of(Perf.sampleTrial()), broken);
                out.commit();
              }
            })
        .hasMessage("No space left on device");

    assertThat(result).hasContent("old");
    try (var left = Files.list(folder)) {
      assertThat(left).containsExactly(result);
    }
  }
}
