package io.rollscope.core.accounting;

import java.util.HashMap;
import java.util.Map;

/**
 * When the sessions of each group were done by themselves, so that a session's wait for its
 * siblings can be told from work. Parts of a run can be looked at apart and added, in any order.
 *
 * @param <G> what tells groups apart: run, batch and task
 * @param <S> what tells sessions apart
 */
public final class SiblingWaits<G, S> {
  /** Of a session that has no siblings: nothing it waited for. */
  public static final long NOBODY = Long.MIN_VALUE;

  private final Map<G, Last<S>> groups = new HashMap<>();

  /** The latest end, whose it is, and the latest end of all others. */
  private static final class Last<S> {
    private S session;
    private long end = NOBODY;
    private long others = NOBODY;

    void add(S other, long otherEnd) {
      if (other.equals(session)) {
        end = Math.max(end, otherEnd);
      } else if (session == null || otherEnd > end) {
        others = end;
        end = otherEnd;
        session = other;
      } else {
        others = Math.max(others, otherEnd);
      }
    }
  }

  /** A session of a group was done by itself at {@code ownEnd}. */
  public void add(G group, S session, long ownEnd) {
    groups.computeIfAbsent(group, g -> new Last<>()).add(session, ownEnd);
  }

  /** Takes over what another part of the run says; each session is in one part. */
  public void addAll(SiblingWaits<G, S> other) {
    other.groups.forEach(
        (group, last) -> {
          add(group, last.session, last.end);
          Last<S> mine = groups.get(group);
          mine.others = Math.max(mine.others, last.others);
        });
  }

  /** When the last of the other sessions of its group was done, or {@link #NOBODY}. */
  public long othersEnd(G group, S session) {
    Last<S> last = group == null ? null : groups.get(group);
    if (last == null) {
      return NOBODY;
    }
    return session.equals(last.session) ? last.others : last.end;
  }

  /** The part of a candidate that was a wait for siblings. */
  public static long cut(long from, long to, long othersEnd) {
    return othersEnd <= from ? 0 : Math.min(to, othersEnd) - from;
  }
}
