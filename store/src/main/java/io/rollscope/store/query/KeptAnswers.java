package io.rollscope.store.query;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Answers about whole runs, kept as long as nothing of the run is new: they take long, and the same
 * ones are asked for again and again. Thread-safe.
 */
public final class KeptAnswers {
  private static final int MOST = 64;

  private record Key(String name, Question question, Object more) {}

  /**
   * @param nowNs when it was asked, or null if it does not matter: nothing is open
   */
  private record Answer(Object version, Long nowNs, Object report) {}

  private final Map<Key, Answer> answers = new LinkedHashMap<>(16, 0.75f, true);

  /** Makes a report. */
  @FunctionalInterface
  interface Maker<T> {
    T make() throws SQLException;
  }

  /**
   * The answer, made only if it is not known.
   *
   * @param version of the run, or null when it is not to be kept
   * @param more what else the answer depends on
   * @param open whether an answer depends on the time
   */
  <T> T get(
      String name,
      Question question,
      Object more,
      Object version,
      Class<T> type,
      Predicate<T> open,
      Maker<T> maker)
      throws SQLException {
    Key key = new Key(name, question.at(0), more);
    Answer known;
    synchronized (answers) {
      known = answers.get(key);
    }
    boolean current = known != null && version != null && known.version().equals(version);
    if (current && (known.nowNs() == null || known.nowNs() == question.nowNs())) {
      return type.cast(known.report());
    }
    T made = maker.make();
    if (version != null) {
      keep(key, new Answer(version, open.test(made) ? (Long) question.nowNs() : null, made));
    }
    return made;
  }

  private void keep(Key key, Answer answer) {
    synchronized (answers) {
      answers.put(key, answer);
      if (answers.size() > MOST) {
        answers.remove(answers.keySet().iterator().next());
      }
    }
  }
}
