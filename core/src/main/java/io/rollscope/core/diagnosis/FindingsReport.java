package io.rollscope.core.diagnosis;

import io.rollscope.core.view.ReportContext.SkippedLines;
import java.util.ArrayList;
import java.util.List;

/**
 * What is wrong with a run, the most important first.
 *
 * @param asOfS up to when open work counts
 * @param healthy whether nothing is wrong now: no finding is open
 * @param sentence the whole report in one line
 * @param notJudged what could not be told from this data, and why
 */
public record FindingsReport(
    String source,
    String run,
    String scope,
    double asOfS,
    boolean healthy,
    String sentence,
    Coverage coverage,
    List<Finding> findings,
    List<NotJudged> notJudged,
    List<String> otherRuns,
    SkippedLines skippedLines) {

  /** The same; its source could not give all that was asked for. */
  public FindingsReport butNot(List<NotJudged> more) {
    if (more.isEmpty()) {
      return this;
    }
    List<NotJudged> all = new ArrayList<>(more);
    all.addAll(notJudged);
    return new FindingsReport(
        source,
        run,
        scope,
        asOfS,
        healthy,
        sentence,
        coverage,
        findings,
        all,
        otherRuns,
        skippedLines);
  }

  /**
   * What the data allows to judge.
   *
   * @param groups whether sessions are known to be samples of one task
   * @param parents whether it is known which span caused which
   * @param beats whether processes tell that they are alive
   * @param tokens whether calls tell what they read and wrote
   * @param engineMetrics whether engines tell of their queues
   * @param steps how many training steps are known
   */
  public record Coverage(
      boolean groups,
      boolean parents,
      boolean beats,
      boolean tokens,
      boolean engineMetrics,
      int steps) {}

  /**
   * A cause.
   *
   * @param id {@code kind/subject/n}; n counts its openings in time
   * @param state {@code open} or {@code closed}
   * @param stage where it is, or null
   * @param steps training steps it was there in
   * @param untilS when it was over, or null while it is open
   * @param confidence from 0 to 1
   * @param sentence what happened, for people
   * @param advice what to look at next
   * @param replaces ids of findings that are part of this one
   */
  public record Finding(
      String id,
      String kind,
      String state,
      Subject subject,
      String stage,
      List<Long> steps,
      double sinceS,
      Double untilS,
      Cost cost,
      double confidence,
      String sentence,
      List<Evidence> evidence,
      Victims victims,
      String advice,
      List<String> replaces) {}

  /**
   * Who is to blame.
   *
   * @param type {@code session}, {@code worker}, {@code process}, {@code stage}, {@code task},
   *     {@code step}, {@code run} or {@code host}
   */
  public record Subject(String type, String id) {}

  /**
   * What would be saved without it.
   *
   * @param wallS time of the run; null where it cannot be told
   * @param slotS time in which slots for sessions were held; null likewise
   * @param modelError by what part replaying the untouched steps misses their real time, or null
   */
  public record Cost(Double wallS, Double slotS, Double modelError) {
    /** Nobody can tell. */
    public static final Cost UNKNOWN = new Cost(null, null, null);
  }

  /**
   * What shows it.
   *
   * @param usual what it is elsewhere or was before, or null
   * @param unit {@code s}, {@code s/token}, {@code calls}, {@code share} or another; or null
   * @param link a session or a stage to look at, or null
   */
  public record Evidence(String what, double value, Double usual, String unit, String link) {}

  /**
   * Who suffers from it and is not to blame.
   *
   * @param examples ids of sessions
   */
  public record Victims(int sessions, int tasks, List<String> examples) {
    public static final Victims NONE = new Victims(0, 0, List.of());
  }

  /**
   * A kind that could not be judged.
   *
   * @param kind or {@code all}
   * @param why a sentence
   */
  public record NotJudged(String kind, String why) {}
}
