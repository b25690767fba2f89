package io.rollscope.store.hot;

import io.rollscope.core.session.ProcessLife;
import io.rollscope.core.stats.Percentiles;
import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.record.Origin;
import io.rollscope.otlp.record.Sign;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Which processes live, by our own clock. Only those that ever sent a beat can be found dead: when
 * nothing of any kind came from them for 30 s, or when they said goodbye. Of those that are read
 * from files only a goodbye tells: a file is read whenever somebody likes, and in pieces.
 */
public final class Processes {
  /** Beats come every 10 s: one is missing. */
  private static final long QUIET_NS = 15_000_000_000L;

  private static final long SILENT_NS = 30_000_000_000L;
  private static final long FORGOTTEN_NS = 24 * 3_600_000_000_000L;
  private static final int MOST = 100_000;

  /** Records that tell how late a process reports. */
  private static final int DELAYS = 1_000;

  /** What is known of one. */
  static final class Life {
    /** Null for one that never sent a beat. */
    Sign last;

    final ProcessLife told = new ProcessLife();
    long heardNs;
    private long[] delays = new long[8];
    private int delayCount;
    private double delayS = -1;

    /** Its open spans, in no order. */
    final List<HotSpan> open = new ArrayList<>(0);

    /** Where the next look for overdue ones begins, if the last did not come to the end. */
    int lookedAt;

    /** When it was last asked for stacks, and when stacks came from it. */
    final Pace asked = new Pace();

    final Pace stacks = new Pace();

    /** What happened then came in now. */
    void arrived(long happenedNs, long receivedNs) {
      if (delayCount >= delays.length && delays.length < DELAYS) {
        delays = Arrays.copyOf(delays, Math.min(DELAYS, 2 * delays.length));
      }
      delays[delayCount++ % delays.length] = receivedNs - happenedNs;
      delayS = -1;
    }

    /** How late it reports, apart from what its clock is off (contracts.md 4.10). */
    double delayS() {
      if (delayS < 0) {
        long[] sorted = Arrays.copyOf(delays, Math.min(delayCount, delays.length));
        Arrays.sort(sorted);
        long least = sorted.length == 0 ? 0 : sorted[0];
        for (int i = 0; i < sorted.length; i++) {
          sorted[i] -= least;
        }
        delayS = sorted.length == 0 ? 0 : Percentiles.secondsOfSorted(sorted, sorted.length, .95);
      }
      return delayS;
    }
  }

  /** At most so many a minute. */
  static final class Pace {
    private static final int MOST = 6;
    private static final long MINUTE_NS = 60_000_000_000L;

    private final Deque<Long> lastNs = new ArrayDeque<>(MOST);

    int room(long nowNs) {
      lastNs.removeIf(ns -> nowNs - ns >= MINUTE_NS || ns > nowNs);
      return MOST - lastNs.size();
    }

    void took(long nowNs) {
      lastNs.add(nowNs);
    }
  }

  private final Map<String, Life> byInstance = new HashMap<>();
  private Origin lastOrigin;
  private Life lastLife;

  /**
   * Something came from a process.
   *
   * @param recordNs a time in it, by the process's own clock, or {@link Nanos#UNKNOWN}
   */
  @SuppressWarnings("ReferenceEquality") // What comes in one request shares its origin.
  void heard(Origin origin, long receivedNs, long recordNs) {
    if (origin.instance() == null) {
      return;
    }
    if (origin != lastOrigin) {
      lastOrigin = origin;
      lastLife = life(origin.instance(), receivedNs);
    }
    Life process = lastLife;
    process.heardNs = Math.max(process.heardNs, receivedNs);
    process.told.record(recordNs);
    if (recordNs != Nanos.UNKNOWN && !origin.file()) {
      process.arrived(recordNs, receivedNs);
    }
  }

  /** A span is open in the process that was heard of last. */
  void opened(HotSpan span) {
    if (span.told.origin().instance() != null && !span.told.origin().file()) {
      span.process = lastLife;
      span.openSlot = lastLife.open.size();
      lastLife.open.add(span);
    }
  }

  /** A span is no longer open, if it was. */
  static void closed(HotSpan span) {
    if (span.process != null) {
      List<HotSpan> open = span.process.open;
      HotSpan last = open.remove(open.size() - 1);
      if (last != span) {
        open.set(span.openSlot, last);
        last.openSlot = span.openSlot;
      }
      span.process = null;
      span.openSlot = -1;
    }
  }

  /** Whether a stack from this process is not one too many; counts it. */
  boolean takesStack(String instance, long nowNs) {
    Pace pace = byInstance.get(instance).stacks;
    boolean takes = pace.room(nowNs) > 0;
    if (takes) {
      pace.took(nowNs);
    }
    return takes;
  }

  /** What is known of a process that beats and is not read from a file, else null. */
  Life asking(Origin origin) {
    Life process = origin.file() ? null : beating(origin.instance());
    return process == null || process.told.hasEnded() ? null : process;
  }

  private Life life(String instance, long receivedNs) {
    Life process = byInstance.get(instance);
    if (process == null) {
      if (byInstance.size() >= MOST) {
        forgetOldest(receivedNs);
      }
      process = new Life();
      byInstance.put(instance, process);
    }
    return process;
  }

  /** A beat or a goodbye. What its spans are may change with it. */
  void sign(Sign sign, long receivedNs) {
    Life process = life(sign.origin().instance(), receivedNs);
    process.told.record(sign.timeNs());
    process.heardNs = Math.max(process.heardNs, receivedNs);
    if (sign.end()) {
      process.told.end(sign.timeNs());
    }
    if (process.last == null
        || sign.timeNs() > process.last.timeNs()
        || (sign.timeNs() == process.last.timeNs() && sign.end())) {
      process.last = sign;
    }
  }

  private void forgetOldest(long nowNs) {
    lastOrigin = null;
    byInstance.values().removeIf(p -> p.told.hasEnded() || nowNs - p.heardNs > FORGOTTEN_NS);
    Iterator<Life> some = byInstance.values().iterator();
    for (int i = 0; i < MOST / 10 && some.hasNext() && byInstance.size() >= MOST; i++) {
      some.next();
      some.remove();
    }
  }

  /** Whether this process is known to be dead. */
  public boolean isLost(String instance, long nowNs) {
    return lostNs(instance, nowNs) != Nanos.OPEN;
  }

  /**
   * When the open work of a process ended that is known to be dead: at the latest time in its own
   * records. {@link Nanos#OPEN} while it may live.
   */
  long lostNs(String instance, long nowNs) {
    Life process = beating(instance);
    boolean lost =
        process != null
            && (process.told.hasEnded()
                || (!process.last.origin().file() && nowNs - process.heardNs > SILENT_NS));
    return lost ? process.told.recordNs() : Nanos.OPEN;
  }

  /** Whether it said goodbye and was not heard of since. */
  boolean hasEnded(String instance) {
    Life process = beating(instance);
    return process != null && process.told.hasEnded();
  }

  private Life beating(String instance) {
    Life process = instance == null ? null : byInstance.get(instance);
    return process == null || process.last == null ? null : process;
  }

  /** Whether a process lives, as far as its beats tell. */
  enum State {
    ALIVE,
    SILENT,
    LOST;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Null for one that sends no beats, that is read from a file, and after its goodbye. */
  State state(String instance, long nowNs) {
    Life process = beating(instance);
    if (process == null || process.last.origin().file() || process.told.hasEnded()) {
      return null;
    }
    long silent = nowNs - process.heardNs;
    return silent > SILENT_NS ? State.LOST : silent > QUIET_NS ? State.SILENT : State.ALIVE;
  }

  /** How late a process reports; 0 for one that is read from a file. */
  double delayS(String instance) {
    Life process = byInstance.get(instance);
    return process == null ? 0 : process.delayS();
  }

  /** When something last came from it; 0 for one that never sent a beat. */
  public long heardNs(String instance) {
    Life process = beating(instance);
    return process == null ? 0 : process.heardNs;
  }

  /** After a restart nobody could be heard for a while; that is not their silence. */
  void excuse(long nowNs) {
    byInstance.values().forEach(p -> p.heardNs = nowNs);
  }

  /** The last sign of every process, at the latest time of any of its records. */
  void restate(Consumer<Sign> visitor) {
    for (Life process : byInstance.values()) {
      if (process.last != null) {
        visitor.accept(process.last.at(process.told.recordNs(), process.told.hasEnded()));
      }
    }
  }

  public long count() {
    return byInstance.values().stream().filter(p -> p.last != null).count();
  }

  public long lostCount(long nowNs) {
    return byInstance.keySet().stream().filter(i -> isLost(i, nowNs)).count();
  }
}
