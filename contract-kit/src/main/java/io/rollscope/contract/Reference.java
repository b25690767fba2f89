package io.rollscope.contract;

import io.rollscope.core.report.RunReports;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/** What the folder of a world answers to every question. */
public final class Reference {
  private final Map<String, Questions.Question> questions;
  private final Map<String, Map<String, String>> answers = new HashMap<>();
  private final RunReports source;

  /** Asks a source everything. */
  public Reference(RunReports source) throws IOException {
    questions = Questions.of(source);
    this.source = source;
  }

  private static Map<String, String> answer(Questions.Question question, RunReports source)
      throws IOException {
    return Answers.flat(question.ask(source));
  }

  private Map<String, String> expected(String question) throws IOException {
    Map<String, String> known = answers.get(question);
    if (known == null) {
      known = answer(questions.get(question), source);
      answers.put(question, known);
    }
    return known;
  }

  /**
   * Which answers of another source differ, and where.
   *
   * @param asked which of its answers are looked at
   * @param most so many questions are asked, any of them
   */
  public List<String> differences(RunReports other, Set<String> asked, int most, Random any)
      throws IOException {
    List<String> wrong = new ArrayList<>();
    List<Map.Entry<String, Questions.Question>> some =
        questions.entrySet().stream()
            .filter(q -> asked.contains(q.getKey().split("\\W", 2)[0]))
            .collect(Collectors.toCollection(ArrayList::new));
    Collections.shuffle(some, any);
    for (Map.Entry<String, Questions.Question> question :
        some.subList(0, Math.min(most, some.size()))) {
      Map<String, String> expected = expected(question.getKey());
      for (String line : Answers.differences(expected, answer(question.getValue(), other))) {
        wrong.add(question.getKey() + ": " + line);
      }
    }
    return wrong;
  }
}
