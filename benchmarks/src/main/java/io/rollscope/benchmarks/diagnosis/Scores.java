package io.rollscope.benchmarks.diagnosis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What many judgements come to, as Markdown. */
final class Scores {
  private static final int EXAMPLES = 3;

  private final List<Judgement> all;
  private final List<Judgement> faulty;
  private final List<Judgement> healthy;

  Scores(List<Judgement> all) {
    this.all = List.copyOf(all);
    faulty = all.stream().filter(one -> !one.run().isHealthy()).toList();
    healthy = all.stream().filter(one -> one.run().isHealthy()).toList();
  }

  List<String> lines(String title) {
    List<String> lines = new ArrayList<>(List.of("## " + title, ""));
    lines.add("| what | must | goal | measured |");
    lines.add("| --- | --- | --- | --- |");
    lines.add(row("first finding names kind and subject", "≥ 90 %", "≥ 95 %", right(faulty)));
    lines.add(row("named at all", "", "", share(count(faulty, Judgement::isNamed), faulty)));
    lines.add(row("healthy runs without a false finding", "≥ 90 %", "≥ 95 %", right(healthy)));
    lines.add(row("median error of the cost", "≤ 20 %", "≤ 10 %", costError(faulty)));
    lines.add(
        row(
            "faulty runs with a false finding beside",
            "",
            "",
            share(count(faulty, one -> !one.beside().isEmpty()), faulty)));
    lines.add("");
    lines.add("| kind | right | cost error | wrong ones: what was said first |");
    lines.add("| --- | --- | --- | --- |");
    Map<String, List<Judgement>> byKind =
        all.stream()
            .collect(Collectors.groupingBy(Judgement::kind, TreeMap::new, Collectors.toList()));
    byKind.forEach(
        (kind, some) -> lines.add(row(kind, right(some), costError(some), examples(some))));
    lines.add("");
    return lines;
  }

  private static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |";
  }

  private static long count(List<Judgement> some, java.util.function.Predicate<Judgement> which) {
    return some.stream().filter(which).count();
  }

  private static String right(List<Judgement> some) {
    return share(count(some, Judgement::isRight), some);
  }

  private static String share(long part, List<Judgement> of) {
    return of.isEmpty()
        ? "–"
        : String.format(
            Locale.ROOT, "%d of %d, %.0f %%", part, of.size(), 100.0 * part / of.size());
  }

  private static String costError(List<Judgement> some) {
    List<Double> errors =
        some.stream()
            .map(Judgement::costError)
            .filter(Objects::nonNull)
            .sorted(Comparator.naturalOrder())
            .toList();
    long asked = count(some, Judgement::isCostKnown);
    if (asked == 0) {
      return "–";
    }
    String median =
        errors.isEmpty()
            ? "none"
            : String.format(Locale.ROOT, "%.0f %%", 100 * errors.get(errors.size() / 2));
    return median + " (told of " + errors.size() + " of " + asked + ")";
  }

  private static String examples(List<Judgement> some) {
    List<Judgement> wrong = some.stream().filter(one -> !one.isRight()).toList();
    String first =
        wrong.stream()
            .limit(EXAMPLES)
            .map(one -> one.run().name() + ": " + (one.said().isEmpty() ? "nothing" : one.said()))
            .collect(Collectors.joining("; "));
    return wrong.size() > EXAMPLES ? first + "; …" : first;
  }
}
