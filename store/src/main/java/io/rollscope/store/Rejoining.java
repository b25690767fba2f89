package io.rollscope.store;

import io.rollscope.store.hot.HotStore;
import io.rollscope.store.hot.HotStore.Newcomers;
import io.rollscope.store.hot.ReturnedSession;
import io.rollscope.store.hot.SessionKey;
import io.rollscope.store.segment.Returning;
import io.rollscope.store.segment.Segment;
import io.rollscope.store.segment.Segments;
import io.rollscope.store.segment.SplitSessions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Brings sessions back from segments when there is news of them (decision 8). Those sealed within
 * the last hour are recognised at once. For a verdict that nothing in memory fits all segments are
 * searched, a few at a time. Spans that came later than that made a second session of the same
 * name: the two become one. Only the keeper's thread comes here.
 */
final class Rejoining {
  private static final int VERDICTS_AT_ONCE = 2_000;
  private static final int SESSIONS_AT_ONCE = 2_000;
  private static final long SEARCH_NS = 100_000_000L;
  private static final long PAUSE_NS = 60_000_000_000L;

  /** Looking for split sessions takes at most this part of the time. */
  private static final int SHARE = 50;

  private final HotStore hot;
  private final ReentrantLock hotLock;
  private final Segments segments;
  private final Returning returning;
  private final SplitSessions split;
  private Search search;
  private long reunitedNs = Long.MIN_VALUE;
  private long reuniteNs = Long.MIN_VALUE;

  /** A search for verdicts' sessions on its way through the segments. */
  private record Search(Newcomers wanted, Set<SessionKey> found, Set<Long> done) {}

  Rejoining(HotStore hot, ReentrantLock hotLock, Segments segments) {
    this.hot = hot;
    this.hotLock = hotLock;
    this.segments = segments;
    returning = new Returning(segments);
    split = new SplitSessions(segments);
  }

  /** Sessions that left within the last hour and have news get back what segments hold of them. */
  void welcomeBack(long now) throws IOException {
    lookUp(hot::takeNewcomers, known -> returning.find(known, now));
  }

  /** Sessions that the journal brought back get what any segment holds of them. */
  void welcomeReplayed(long now) throws IOException {
    lookUp(hot::takeReplayed, known -> returning.findEverywhere(known, now));
  }

  private interface Lookup {
    List<ReturnedSession> find(Newcomers known) throws IOException;
  }

  private void lookUp(Supplier<Newcomers> taken, Lookup lookup) throws IOException {
    Newcomers known;
    hotLock.lock();
    try {
      known = taken.get();
    } finally {
      hotLock.unlock();
    }
    if (known.isEmpty()) {
      return;
    }
    List<ReturnedSession> back = null;
    try {
      back = lookup.find(known);
    } finally {
      hotLock.lock();
      try {
        if (back == null) {
          hot.putBack(known);
        } else {
          back.forEach(hot::returned);
          hot.lookedUp(known);
        }
      } finally {
        hotLock.unlock();
      }
    }
  }

  /** Searches some more segments for sessions that verdicts wait for. */
  void searchForVerdicts(long now) throws IOException {
    if (search == null && !begin(now)) {
      return;
    }
    long until = System.nanoTime() + SEARCH_NS;
    try {
      for (Segment segment : segments.manifest().segments()) {
        if (search.done().add(segment.number())) {
          search.found().addAll(returning.sessions(search.wanted().traces(), List.of(segment)));
          if (System.nanoTime() >= until) {
            return;
          }
        }
      }
      search.found().addAll(search.wanted().sessions());
      bringBack(List.copyOf(search.found()), hot::returned);
      search = null;
    } catch (IOException | RuntimeException | Error e) {
      Newcomers wanted = search.wanted();
      search = null;
      locked(() -> hot.searchAgain(wanted));
      throw e;
    }
  }

  private boolean begin(long now) {
    locked(() -> hot.expireVerdicts(now));
    Newcomers[] wanted = new Newcomers[1];
    locked(() -> wanted[0] = hot.takeWaiting(VERDICTS_AT_ONCE, now));
    if (wanted[0].isEmpty()) {
      return false;
    }
    search = new Search(wanted[0], new HashSet<>(), new HashSet<>());
    return true;
  }

  private void locked(Runnable change) {
    hotLock.lock();
    try {
      change.run();
    } finally {
      hotLock.unlock();
    }
  }

  private void bringBack(List<SessionKey> keys, Consumer<ReturnedSession> how) throws IOException {
    List<ReturnedSession> back = keys.isEmpty() ? List.of() : returning.fetch(keys);
    locked(() -> back.forEach(how));
  }

  /**
   * Makes one of sessions that segments hold in rows that do not know of each other.
   *
   * @return how many there were
   */
  int reunite(long now) throws IOException {
    boolean early = now < reuniteNs && now >= reunitedNs; // The clock may be set back.
    if (early || !split.isDue()) {
      return 0;
    }
    long began = System.nanoTime();
    long newest = segments.manifest().next() - 1;
    List<SessionKey> keys = new ArrayList<>(split.find(SESSIONS_AT_ONCE));
    bringBack(keys, hot::reunited);
    if (keys.isEmpty()) {
      segments.joined(newest); // Only now: a crash must find those that were not written yet.
    }
    reunitedNs = now;
    reuniteNs = now + Math.max(PAUSE_NS, SHARE * (System.nanoTime() - began));
    return keys.size();
  }
}
