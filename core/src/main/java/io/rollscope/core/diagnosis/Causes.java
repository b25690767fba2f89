package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.NotJudged;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** What the detectors found so far; one detector sees what those before it explained. */
final class Causes {
  private final List<Cause> found = new ArrayList<>();
  private final List<NotJudged> notJudged = new ArrayList<>();
  private final BitSet explained = new BitSet();

  void add(Cause cause) {
    found.add(cause);
    explained.or(cause.explains);
  }

  /** What a cause that became part of another one explains. */
  void explain(Cause cause) {
    explained.or(cause.explains);
  }

  /** A kind that this data says nothing about. */
  void cannotJudge(FindingKind kind, String why) {
    notJudged.add(new NotJudged(kind.word(), why));
  }

  /** Whether a cause found already explains this call. */
  boolean isExplained(int call) {
    return explained.get(call);
  }

  boolean has(FindingKind kind) {
    return found.stream().anyMatch(cause -> cause.kind == kind);
  }

  List<Cause> found() {
    return found;
  }

  List<NotJudged> notJudged() {
    return notJudged;
  }
}
