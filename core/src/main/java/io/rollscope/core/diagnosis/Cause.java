package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Cost;
import io.rollscope.core.diagnosis.FindingsReport.Evidence;
import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.FindingsReport.Victims;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/** What a detector found: a finding before it is compared with others, ranked and numbered. */
final class Cause {
  final FindingKind kind;
  final Subject subject;
  final String stage;
  final long sinceNs;

  /** When it was over, or {@link Nanos#OPEN}. */
  long untilNs = Nanos.OPEN;

  Cost cost = Cost.UNKNOWN;
  double confidence = 1;
  String sentence = "";
  String advice = "";
  Victims victims = Victims.NONE;
  final TreeSet<Long> steps = new TreeSet<>();
  final List<Evidence> evidence = new ArrayList<>();

  /** Calls that this explains: what lies in them is no finding of its own. */
  final BitSet explains = new BitSet();

  /** Findings that are part of this one. */
  final List<Cause> absorbed = new ArrayList<>();

  /**
   * @param stage or null
   */
  Cause(FindingKind kind, Subject subject, String stage, long sinceNs) {
    this.kind = kind;
    this.subject = subject;
    this.stage = stage;
    this.sinceNs = sinceNs;
  }

  boolean isOpen() {
    return untilNs == Nanos.OPEN;
  }

  Cause until(long ns) {
    untilNs = ns;
    return this;
  }

  Cause cost(Cost what) {
    cost = what;
    return this;
  }

  Cause confidence(double part) {
    confidence = Math.min(1, Math.max(0, part));
    return this;
  }

  Cause sentence(String text) {
    sentence = text;
    return this;
  }

  Cause advice(String text) {
    advice = text;
    return this;
  }

  Cause victims(Victims who) {
    victims = who;
    return this;
  }

  Cause steps(Collection<Long> some) {
    steps.addAll(some);
    return this;
  }

  Cause explains(int call) {
    explains.set(call);
    return this;
  }

  Cause evidence(String what, double value, Double usual, String unit, String link) {
    evidence.add(new Evidence(what, value, usual, unit, link));
    return this;
  }
}
