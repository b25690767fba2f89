package io.rollscope.formats.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.formats.scan.Skipped.Example;
import org.junit.jupiter.api.Test;

class SkippedTest {

  /** A file of the wrong kind has a million bad lines. */
  @Test
  void countsEverythingAndKeepsTheFirstTwenty() {
    Skipped skipped = new Skipped();

    for (int line = 1; line <= 1_000_000; line++) {
      skipped.add("f.jsonl", line, "bad");
    }

    assertThat(skipped.count()).isEqualTo(1_000_000);
    assertThat(skipped.examples())
        .hasSize(20)
        .extracting(Example::line)
        .startsWith(1L, 2L)
        .endsWith(20L);
  }

  /** Big files are read in pieces, each of which counts its lines from 1. */
  @Test
  void piecesAddUpWithLineNumbersOfTheFile() {
    Skipped all = new Skipped();
    Skipped piece = new Skipped();
    piece.add("f.jsonl", 1, "first");
    piece.add("f.jsonl", 7, "last");

    all.addShifted(piece, 1);
    all.addShifted(piece, 101);

    assertThat(all.count()).isEqualTo(4);
    assertThat(all.examples()).extracting(Example::line).containsExactly(1L, 7L, 101L, 107L);
  }

  @Test
  void stayBoundedWhenPiecesAddUp() {
    Skipped all = new Skipped();
    Skipped piece = new Skipped();
    for (int line = 1; line <= 15; line++) {
      piece.add("f.jsonl", line, "bad");
    }

    all.addShifted(piece, 1);
    all.addShifted(piece, 16);

    assertThat(all.count()).isEqualTo(30);
    assertThat(all.examples()).hasSize(20);
  }

  @Test
  void theLastOneCanBeExplainedUnlessItIsNoLongerAmongTheExamples() {
    Skipped skipped = new Skipped();
    skipped.add("f.jsonl", 1, "a");
    skipped.explainLast("torn: ");
    for (int line = 2; line <= 30; line++) {
      skipped.add("f.jsonl", line, "b");
    }
    skipped.explainLast("torn: ");

    assertThat(skipped.examples().get(0).reason()).isEqualTo("torn: a");
    assertThat(skipped.examples().get(19).reason()).isEqualTo("b");
  }

  @Test
  void startsAnewWhenCleared() {
    Skipped skipped = new Skipped();
    skipped.add("f.jsonl", 0, "empty");

    skipped.clear();

    assertThat(skipped.count()).isZero();
    assertThat(skipped.examples()).isEmpty();
  }
}
