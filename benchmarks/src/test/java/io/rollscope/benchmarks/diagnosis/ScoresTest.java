package io.rollscope.benchmarks.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.benchmarks.diagnosis.KnownRun.Fault;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScoresTest {

  @Test
  void tableSaysHowOftenAndByHowMuch() {
    List<String> lines =
        new Scores(
                List.of(
                    judgement("a", "slow_worker", true, 0.1),
                    judgement("b", "slow_worker", true, 0.3),
                    judgement("c", "slow_worker", false, 0.2),
                    judgement("d", "slow_worker", true, null),
                    judgement("e", "clock_skew", true, null),
                    healthy("f", true),
                    healthy("g", false)))
            .lines("Runs");

    assertThat(lines)
        .contains(
            "## Runs",
            "| first finding names kind and subject | ≥ 90 % | ≥ 95 % | 4 of 5, 80 % |",
            "| healthy runs without a false finding | ≥ 90 % | ≥ 95 % | 1 of 2, 50 % |",
            "| median error of the cost | ≤ 20 % | ≤ 10 % | 20 % (told of 3 of 4) |",
            "| slow_worker | 3 of 4, 75 % | 20 % (told of 3 of 4) | c: said |",
            "| clock_skew | 1 of 1, 100 % | – |  |",
            "| healthy | 1 of 2, 50 % | – | g: said |");
  }

  private static Judgement judgement(String name, String kind, boolean right, Double error) {
    boolean known = kind.equals("slow_worker");
    KnownRun run =
        new KnownRun(
            name,
            List.of(new Fault(kind, List.of("x"), false, 10, false, known)),
            List.of(),
            100,
            2);
    return new Judgement(run, right, true, error, known, List.of(), "said");
  }

  private static Judgement healthy(String name, boolean right) {
    KnownRun run = new KnownRun(name, List.of(), List.of(), 100, 2);
    return new Judgement(run, right, right, null, false, List.of(), "said");
  }
}
