package io.rollscope.store.hot;

import io.rollscope.core.accounting.Group;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.Overdue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which spans of a process are overdue and were not asked for yet (contracts.md 3.20, 4.10, 4.11).
 * Looks at what is open in that process only, and further only at what is overdue.
 */
final class WantedStacks {
  /** So many candidates are looked at more closely at once; the others at the next beat. */
  private static final int MOST_CANDIDATES = 1_000;

  private record Candidate(HotSpan span, double ageS, Double usualS) {
    String session() {
      return span.session.key.id();
    }
  }

  private final Processes processes;
  private final long nowNs;
  private final IdentityHashMap<HotSession, Set<HotSpan>> above = new IdentityHashMap<>();

  private WantedStacks(Processes processes, long nowNs) {
    this.processes = processes;
    this.nowNs = nowNs;
  }

  static List<Long> of(Processes.Life process, Processes processes, long nowNs) {
    int room = process.asked.room(nowNs);
    if (room == 0) {
      return List.of();
    }
    WantedStacks wanted = new WantedStacks(processes, nowNs);
    List<Long> ids = new ArrayList<>();
    for (Candidate one : wanted.mostOverdue(process)) {
      if (ids.size() == room) {
        break;
      }
      one.span().askedForStack = true;
      if (!one.span().hasStack()) {
        process.asked.took(nowNs);
        ids.add(one.span().spanId());
      }
    }
    return ids;
  }

  private List<Candidate> mostOverdue(Processes.Life process) {
    List<Candidate> found = new ArrayList<>();
    List<HotSpan> open = process.open;
    int from = process.lookedAt;
    process.lookedAt = 0;
    for (int i = 0; i < open.size(); i++) {
      HotSpan span = open.get((from + i) % open.size());
      if (!span.askedForStack && span.session != null && isOverdue(span)) {
        found.add(new Candidate(span, ageS(span), usualS(span)));
        if (found.size() == MOST_CANDIDATES) {
          process.lookedAt = (from + i + 1) % open.size();
          break;
        }
      }
    }
    found.removeIf(one -> above(one.span().session).contains(one.span()));
    removeThoseThatWaitForSiblings(found);
    found.sort(Overdue.order(Candidate::ageS, Candidate::usualS, Candidate::session));
    return found;
  }

  private boolean isOverdue(HotSpan span) {
    double delayS = processes.delayS(span.told.origin().instance());
    return Overdue.isSuspect(ageS(span), usualS(span), delayS);
  }

  private double ageS(HotSpan span) {
    return Nanos.toSeconds(Math.max(0, span.session.now(nowNs) - span.startNs()));
  }

  private static Double usualS(HotSpan span) {
    return span.session.run.usual.p95(span.stage());
  }

  /** The open spans of a session that have an overdue one inside. */
  private Set<HotSpan> above(HotSession session) {
    return above.computeIfAbsent(session, this::findAbove);
  }

  private Set<HotSpan> findAbove(HotSession session) {
    List<HotSpan> open = session.spans.stream().filter(HotSpan::isOpen).toList();
    IdentityHashMap<HotSpan, Integer> numbers = new IdentityHashMap<>();
    open.forEach(span -> numbers.put(span, numbers.size()));
    boolean[] overdue = new boolean[open.size()];
    int[] parents = new int[open.size()];
    for (int i = 0; i < parents.length; i++) {
      HotSpan span = open.get(i);
      HotSpan parent = span.parentId() == 0 ? null : span.trace.find(span.parentId());
      overdue[i] = isOverdue(span);
      parents[i] = parent == null ? -1 : numbers.getOrDefault(parent, -1);
    }
    boolean[] found = Overdue.above(overdue, parents, parents.length);
    Set<HotSpan> spans = new HashSet<>();
    numbers.forEach(
        (span, number) -> {
          if (found[number]) {
            spans.add(span);
          }
        });
    return spans;
  }

  private void removeThoseThatWaitForSiblings(List<Candidate> found) {
    IdentityHashMap<HotSession, Group> waiting = new IdentityHashMap<>();
    Map<HotRun, Set<Group>> groups = new HashMap<>();
    for (Candidate one : found) {
      HotSession session = one.span().session;
      Group group = session.key.lane() ? null : LiveView.waitingGroup(session, processes, nowNs);
      if (group != null) {
        waiting.put(session, group);
        groups.computeIfAbsent(session.run, run -> new HashSet<>()).add(group);
      }
    }
    groups.replaceAll((run, asked) -> LiveView.atWork(run, asked, processes, nowNs));
    found.removeIf(
        one -> {
          Group group = waiting.get(one.span().session);
          return group != null && groups.get(one.span().session.run).contains(group);
        });
  }
}
