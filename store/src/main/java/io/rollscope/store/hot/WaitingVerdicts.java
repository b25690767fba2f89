package io.rollscope.store.hot;

import io.rollscope.otlp.record.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * Verdicts that have not found their session: they came before their span, or long after the
 * session went into a segment. Each is looked for in all segments once; after that only news can
 * bring the session. What nothing came for within a day is dropped, and counted.
 */
final class WaitingVerdicts {
  static final int MOST = 100_000;
  private static final long SECOND = 1_000_000_000L;
  private static final long DAY_NS = 24 * 3_600 * SECOND;

  /** Its span is usually on the way. */
  private static final long BEFORE_SEARCH_NS = 15 * SECOND;

  private record Place(HotTrace trace, long spanId) {}

  private static final class Waiting {
    final Verdict verdict;
    final SessionKey named;
    final long sinceNs;
    boolean searched;

    Waiting(Verdict verdict, SessionKey named, long sinceNs) {
      this.verdict = verdict;
      this.named = named;
      this.sinceNs = sinceNs;
    }
  }

  /** Those that began to wait first come first. */
  private final Map<Place, Waiting> all = new LinkedHashMap<>();

  private final Map<SessionKey, List<HotTrace>> bySession = new HashMap<>();

  /**
   * A verdict waits, if it does not do so already.
   *
   * @param named the session it names, or null
   */
  void add(HotTrace trace, Verdict verdict, SessionKey named) {
    Place place = new Place(trace, verdict.spanId());
    Waiting known = all.get(place);
    if (known == null || !known.verdict.equals(verdict)) {
      remove(trace, verdict.spanId());
      all.put(place, new Waiting(verdict, named, trace.newsNs));
      if (named != null) {
        bySession.computeIfAbsent(named, k -> new ArrayList<>(1)).add(trace);
      }
    }
  }

  /** The verdict on that span, if there is one here, waits no longer. */
  void remove(HotTrace trace, long spanId) {
    if (all.isEmpty()) {
      return;
    }
    Waiting gone = all.remove(new Place(trace, spanId));
    if (gone != null && gone.named != null) {
      List<HotTrace> same = bySession.get(gone.named);
      same.remove(trace);
      if (same.isEmpty()) {
        bySession.remove(gone.named);
      }
    }
  }

  /** The traces with a verdict that names this session. */
  List<HotTrace> of(SessionKey key) {
    return bySession.isEmpty() ? List.of() : bySession.getOrDefault(key, List.of());
  }

  int count() {
    return all.size();
  }

  /** Visits all, with when they came in. */
  void forEach(BiConsumer<Verdict, Long> visitor) {
    all.values().forEach(waiting -> visitor.accept(waiting.verdict, waiting.sinceNs));
  }

  /** Those that waited long enough and were not looked for, at most so many; once each. */
  HotStore.Newcomers toSearch(int most, long nowNs) {
    Set<SessionKey> sessions = new HashSet<>();
    Set<HotTrace> traces = new HashSet<>();
    int count = 0;
    for (Map.Entry<Place, Waiting> one : all.entrySet()) {
      Waiting waiting = one.getValue();
      if (!waiting.searched && nowNs - waiting.sinceNs >= BEFORE_SEARCH_NS) {
        waiting.searched = true;
        traces.add(one.getKey().trace());
        if (waiting.named != null) {
          sessions.add(waiting.named);
        }
        if (++count == most) {
          break;
        }
      }
    }
    return new HotStore.Newcomers(new ArrayList<>(sessions), new ArrayList<>(traces));
  }

  /** These could not be looked for. */
  void searchAgain(HotStore.Newcomers wanted) {
    Set<HotTrace> traces = new HashSet<>(wanted.traces());
    all.forEach((place, waiting) -> waiting.searched &= !traces.contains(place.trace()));
  }

  /**
   * Forgets those of more than a day ago, and the oldest beyond the limit.
   *
   * @param gone is told of each, and where it waited
   */
  void expire(long nowNs, BiConsumer<HotTrace, Verdict> gone) {
    if (!all.isEmpty()) {
      forget(waiting -> all.size() > MOST || nowNs - waiting.sinceNs > DAY_NS, gone);
    }
  }

  /** Forgets those of a run. */
  void forgetRun(String run, BiConsumer<HotTrace, Verdict> gone) {
    forget(waiting -> run.equals(runOf(waiting.verdict)), gone);
  }

  static String runOf(Verdict verdict) {
    String named = verdict.said().run();
    return named == null ? verdict.origin().runFallback() : named;
  }

  private void forget(Predicate<Waiting> which, BiConsumer<HotTrace, Verdict> gone) {
    for (Map.Entry<Place, Waiting> one : List.copyOf(all.entrySet())) {
      if (which.test(one.getValue())) {
        HotTrace trace = one.getKey().trace();
        trace.verdicts.remove(one.getKey().spanId());
        remove(trace, one.getKey().spanId());
        gone.accept(trace, one.getValue().verdict);
      }
    }
  }
}
