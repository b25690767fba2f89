package io.rollscope.formats.chrome;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The rows of the output and how the source's threads map to them. Processes with a rank are
 * numbered 1, 2, …; their threads count up from the number of their process. Events without a rank
 * keep their ids.
 */
final class Tracks {

  /** One row: pid and tid as they are written. */
  record Track(SourceId pid, SourceId tid) {
    private static final Comparator<Track> ORDER =
        Comparator.comparing(Track::pid, SourceId.BY_VALUE)
            .thenComparing(Track::tid, SourceId.BY_VALUE);
  }

  private final Map<ProcessKey, Integer> pids = new LinkedHashMap<>();
  private final Map<ProcessKey, List<SourceId>> threads = new HashMap<>();
  private final Map<ThreadKey, Track> trackOfThread = new LinkedHashMap<>();
  private final List<Track> tracks;
  private final Map<Track, Integer> numbers = new HashMap<>();
  private final Map<SourceId, Long> nextTid = new HashMap<>();

  Tracks(Collection<ThreadKey> seen) {
    Map<ProcessKey, TreeSet<SourceId>> byProcess = new TreeMap<>(ProcessKey.ORDER);
    for (ThreadKey thread : seen) {
      byProcess
          .computeIfAbsent(thread.process(), p -> new TreeSet<>(SourceId.BY_MAGNITUDE))
          .add(thread.tid());
    }
    byProcess.forEach(this::number);
    TreeSet<Track> sorted = new TreeSet<>(Track.ORDER);
    sorted.addAll(trackOfThread.values());
    tracks = List.copyOf(sorted);
    for (Track track : tracks) {
      numbers.put(track, numbers.size());
      long tid = track.tid().number() == null ? 0 : track.tid().number();
      nextTid.merge(track.pid(), tid + 1, Math::max);
    }
  }

  private void number(ProcessKey process, Set<SourceId> tids) {
    if (process.rank().isNone()) {
      tids.forEach(
          tid -> trackOfThread.put(new ThreadKey(process, tid), new Track(process.pid(), tid)));
      return;
    }
    int pid = pids.size() + 1;
    pids.put(process, pid);
    List<SourceId> named = new ArrayList<>();
    for (SourceId tid : tids) {
      SourceId written = SourceId.NONE;
      if (!tid.isNone()) {
        written = new SourceId((long) pid + named.size(), null);
        named.add(tid);
      }
      trackOfThread.put(
          new ThreadKey(process, tid), new Track(new SourceId((long) pid, null), written));
    }
    threads.put(process, named);
  }

  int count() {
    return tracks.size();
  }

  Track get(int number) {
    return tracks.get(number);
  }

  /** Number of the thread's row, in order of pid and tid; -1 if the thread was never seen. */
  int numberOf(ThreadKey thread) {
    Track track = trackOfThread.get(thread);
    return track == null ? -1 : numbers.get(track);
  }

  Map<ThreadKey, Track> byThread() {
    return trackOfThread;
  }

  /** New pids of the processes that have a rank, in order. */
  Map<ProcessKey, Integer> pids() {
    return pids;
  }

  /** The threads of such a process in order; the first has the tid that is its pid. */
  List<SourceId> threads(ProcessKey process) {
    return threads.get(process);
  }

  /** A tid nobody has in that process. */
  long freeTid(SourceId pid) {
    return nextTid.merge(pid, 1L, Long::sum) - 1;
  }
}
