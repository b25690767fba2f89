package io.rollscope.formats.folder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Real lines, changed at random, through the reader and all views: nothing is ever thrown, every
 * line is kept or counted as skipped, reports have only numbers that JSON has, and time adds up.
 */
abstract class FuzzedReader {
  private static Path folder;

  private final Sort sort;
  private final List<String> sample;

  FuzzedReader(Sort sort, String sample) {
    this.sort = sort;
    try {
      this.sample = Files.readAllLines(ReadTraces.sample(sample), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeContainer
  static void makeFolder() throws IOException {
    folder = Files.createTempDirectory("rollscope-fuzz-");
  }

  @AfterContainer
  static void deleteFolder() throws IOException {
    for (Sort sort : Sort.values()) {
      Files.deleteIfExists(folder.resolve(sort.fileName));
    }
    Files.delete(folder);
  }

  @Property(tries = Integer.MAX_VALUE, edgeCases = EdgeCasesMode.NONE)
  @AddLifecycleHook(TimeBox.class)
  void anythingIsReadOrCountedAsSkipped(
      @ForAll("picks") List<Integer> picks, @ForAll("mutations") List<Mutation> mutations)
      throws IOException {
    List<String> lines = new ArrayList<>();
    picks.forEach(p -> lines.add(sample.get(p % sample.size())));
    mutations.forEach(m -> m.applyTo(lines));
    Path file = folder.resolve(sort.fileName);
    Files.writeString(file, String.join("\n", lines), StandardCharsets.ISO_8859_1);
    if (Files.size(file) == 0) {
      return;
    }

    ReadTraces read = ReadTraces.all(file, sort.format);

    List<String> written = nonBlank(Files.readString(file, StandardCharsets.ISO_8859_1));
    requireAllAccountedFor(read, written);
    assertThat(read.skipped().examples())
        .allMatch(e -> e.line() > 0 && e.reason().contains("(expected: "));
    for (JsonNode report : read.everyReport(5)) {
      requireNoNegativeDuration(report);
      requireTimeAddsUp(report);
    }
  }

  /** Exactly, for formats with an event on each line. */
  void requireAllAccountedFor(ReadTraces read, List<String> written) {
    assertThat(sort.kept(read) + read.skipped().count()).isEqualTo(written.size());
  }

  private static List<String> nonBlank(String text) {
    String bare = text.startsWith("\u00EF\u00BB\u00BF") ? text.substring(3) : text;
    List<String> lines = new ArrayList<>();
    for (String line : bare.split("\n", -1)) {
      if (!line.matches("[ \t\r]*")) {
        lines.add(line);
      }
    }
    return lines;
  }

  private static void requireNoNegativeDuration(JsonNode report) {
    report
        .properties()
        .forEach(
            e -> {
              boolean time =
                  e.getKey()
                      .matches(
                          "(start|end|timeline.*|latestTimestamp|lastEvent|generatedAt|endOffset)S");
              if (e.getKey().endsWith("S") && !time && e.getValue().isNumber()) {
                assertThat(e.getValue().doubleValue()).as(e.getKey()).isNotNegative();
              }
              requireNoNegativeDuration(e.getValue());
            });
    if (report.isArray()) {
      report.forEach(FuzzedReader::requireNoNegativeDuration);
    }
  }

  private static void requireTimeAddsUp(JsonNode report) {
    if (!report.has("wallS")) {
      return;
    }
    double sum = 0;
    for (JsonNode stage : report.get("stages")) {
      sum += stage.get("selfS").doubleValue();
    }
    JsonNode waits = report.get("waits");
    for (String wait : List.of("queueS", "gapS", "barrierS", "unaccountedS")) {
      sum += waits.get(wait).doubleValue();
    }
    double wall = report.get("wallS").doubleValue();
    assertThat(sum).isCloseTo(wall, org.assertj.core.data.Offset.offset(1e-6 * Math.max(1, wall)));
  }

  @Provide
  Arbitrary<List<Integer>> picks() {
    return Arbitraries.integers().between(0, 10_000).list().ofMinSize(1).ofMaxSize(10);
  }

  @Provide
  Arbitrary<List<Mutation>> mutations() {
    Arbitrary<Integer> any = Arbitraries.integers().between(0, 4_000);
    return Combinators.combine(Arbitraries.integers().between(0, Mutation.KINDS - 1), any, any, any)
        .as(Mutation::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(8);
  }
}
