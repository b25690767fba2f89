package io.rollscope.core.diagnosis;

import io.rollscope.core.accounting.Group;
import io.rollscope.core.diagnosis.FindingsReport.Victims;
import io.rollscope.core.diagnosis.RunWork.SessionWork;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Who waits for some sessions: siblings of their groups that were done before them. */
final class WaitingSessions {
  private WaitingSessions() {}

  static Victims of(RunWork work, Collection<Integer> slow) {
    Map<Group, Long> lastEnd = new HashMap<>();
    for (int s : slow) {
      SessionWork one = work.sessions().get(s);
      if (one.group() != null) {
        lastEnd.merge(one.group(), one.ownEndNs(), Math::max);
      }
    }
    if (lastEnd.isEmpty()) {
      return Victims.NONE;
    }
    Set<Integer> causing = new HashSet<>(slow);
    List<SessionWork> waiting = new ArrayList<>();
    for (int s = 0; s < work.sessions().size(); s++) {
      SessionWork one = work.sessions().get(s);
      Long end = one.group() == null ? null : lastEnd.get(one.group());
      if (end != null && !causing.contains(s) && one.ownEndNs() < end) {
        waiting.add(one);
      }
    }
    return OpenWork.victims(waiting);
  }
}
