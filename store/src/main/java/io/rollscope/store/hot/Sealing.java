package io.rollscope.store.hot;

import io.rollscope.core.model.Outcome;
import io.rollscope.core.session.SessionSummary;
import io.rollscope.otlp.record.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

/**
 * Decides which spans are ready for a segment, and what may leave memory when they are in one.
 *
 * <p>A closed span waits a little, because what is still to come of its session decides its self
 * time, and longer if its parent, not yet seen, may name another run or session.
 */
public final class Sealing {
  private static final long SECOND = 1_000_000_000L;
  private static final long SET_BACK_NS = 60_000_000_000L;
  private static final long QUIET_NS = 2 * SECOND;
  private static final long UNDECIDED_NS = 600 * SECOND;
  private static final long LOST_NS = 24 * 3_600 * SECOND;
  private static final long FORGOTTEN_NS = 7 * 24 * 3_600 * SECOND;
  private static final int MOST_SKELETONS = 2_000_000;
  private static final int MOST_ROWS = 1_000_000;

  private final HotStore hot;
  private final long sealAfterNs;
  private final SessionTime time = new SessionTime();

  public Sealing(HotStore hot, long sealAfterNs) {
    this.hot = hot;
    this.sealAfterNs = sealAfterNs;
  }

  /** How urgent it is. */
  public enum Urgency {
    /** What has come to rest. */
    ROUTINE,
    /** Memory is short: whatever is not brand new. */
    PRESSED,
    /** The store closes: everything that has ended, if its session is known. */
    CLOSING,
    /** Memory is very short: everything that has ended. */
    ALL
  }

  /**
   * Spans and sessions as they are at one moment.
   *
   * @param groups the spans, by session or lane
   */
  public record Batch(List<Group> groups, List<SessionRow> sessions) {
    public int spanCount() {
      return groups.stream().mapToInt(g -> g.spans().size()).sum();
    }

    /** All spans, in the order of the groups. */
    public Iterator<SpanRow> spans() {
      return groups.stream().flatMap(g -> g.spans().stream()).iterator();
    }
  }

  /**
   * Spans of one session or lane; none when only its verdict is new.
   *
   * @param verdict the record that decided, or null
   */
  public record Group(HotSession session, String batch, Verdict verdict, List<SpanRow> spans) {
    public SessionKey key() {
      return session.key;
    }
  }

  private static final Comparator<SessionRow> SESSION_ORDER =
      Comparator.comparing((SessionRow r) -> r.key().run())
          .thenComparing(r -> r.facts().batch() == null ? "" : r.facts().batch())
          .thenComparing(r -> r.key().id());

  /** Selects about {@code most} spans at most; {@link #sort} brings them into a segment's order. */
  public Batch select(Urgency urgency, int most, long nowNs) {
    hot.settle();
    hot.dropEmptyTraces(nowNs - UNDECIDED_NS);
    Batch ripe = new Batch(new ArrayList<>(), new ArrayList<>());
    int count = 0;
    List<HotSpan> here = new ArrayList<>();
    for (HotSession session : hot.sessions()) {
      if (count >= most) {
        break;
      }
      if (session.unsure && !session.key.lane()) {
        continue;
      }
      boolean over = !session.key.lane() && isOver(session, nowNs);
      here.clear();
      for (HotSpan span : session.spans) {
        boolean room = count + here.size() < MOST_ROWS;
        boolean known = !span.sealed && !span.trace.unsure;
        if (room && known && isRipe(span, over, urgency, nowNs)) {
          span.sealing = true;
          here.add(span);
        }
      }
      if (!here.isEmpty() || (session.revised && isQuiet(session, nowNs))) {
        add(ripe, session, here, nowNs);
        count += here.size();
      }
    }
    return ripe;
  }

  private void add(Batch batch, HotSession session, List<HotSpan> spans, long nowNs) {
    SessionRow row = SessionRow.of(session, time, hot.processes(), nowNs);
    if (!session.key.lane()) {
      batch.sessions().add(row);
    }
    List<SpanRow> rows = new ArrayList<>(spans.size());
    for (HotSpan span : spans) {
      rows.add(SpanRow.of(span));
    }
    batch.groups().add(new Group(session, session.facts().batch(), session.verdict, rows));
  }

  /** A group by the text that says where it belongs: one comparison instead of four. */
  private record Placed(String place, Group group) {
    static Placed of(Group group) {
      SessionKey key = group.key();
      String batch = group.batch() == null ? "" : group.batch();
      String lane = key.lane() ? "\0l\0" : "\0s\0";
      return new Placed(key.run() + '\0' + batch + lane + key.id(), group);
    }
  }

  /** Brings a batch into the order of segments. Needs no lock. */
  public static void sort(Batch batch) {
    Placed[] placed = batch.groups().stream().map(Placed::of).toArray(Placed[]::new);
    Arrays.sort(placed, Comparator.comparing(Placed::place));
    for (int i = 0; i < placed.length; i++) {
      batch.groups().set(i, placed[i].group());
      placed[i].group().spans().sort(Sealing::compareStarts);
    }
    batch.sessions().sort(SESSION_ORDER);
  }

  private static int compareStarts(SpanRow a, SpanRow b) {
    int start = Long.compare(a.told().startNs(), b.told().startNs());
    return start != 0 ? start : Long.compareUnsigned(a.told().spanId(), b.told().spanId());
  }

  /** Everything in memory that no segment holds, open spans included, as it is now. */
  public Batch everything(long nowNs) {
    hot.settle();
    Batch all = new Batch(new ArrayList<>(), new ArrayList<>());
    for (HotSession session : hot.sessions()) {
      add(all, session, session.spans.stream().filter(s -> !s.sealed).toList(), nowNs);
      List<SpanRow> rows = all.groups().get(all.groups().size() - 1).spans();
      session.inferred.forEach(one -> rows.add(one.row()));
    }
    return all;
  }

  /** The batch could not be written; it will be tried again. */
  public void failed(Batch batch) {
    batch
        .spans()
        .forEachRemaining(
            row -> {
              row.span().sealing = false;
              hot.lookAgain(row.span().trace);
            });
  }

  private static boolean isQuiet(HotSession session, long nowNs) {
    return age(session.newsNs, nowNs) >= QUIET_NS;
  }

  /**
   * For how long something is known. What came in the future came before the clock was set back.
   */
  private static long age(long ns, long nowNs) {
    return ns - nowNs > SET_BACK_NS ? Long.MAX_VALUE : nowNs - ns;
  }

  private boolean isOver(HotSession session, long nowNs) {
    return isQuiet(session, nowNs)
        && session.inferred.isEmpty()
        && !session.status(hot.processes(), nowNs).isUnfinished();
  }

  private boolean isRipe(HotSpan span, boolean over, Urgency urgency, long nowNs) {
    if (span.isOpen()) {
      return isAbandoned(span, nowNs);
    }
    if (urgency == Urgency.ALL) {
      return true;
    }
    long age = age(span.receivedNs, nowNs);
    if (urgency == Urgency.PRESSED) {
      return age >= QUIET_NS;
    }
    if (span.undecided && span.trace.orphaned && age < UNDECIDED_NS) {
      return false;
    }
    return urgency == Urgency.CLOSING || over || age >= sealAfterNs;
  }

  /** Nobody will end it any more: it goes into history as lost or open. */
  private boolean isAbandoned(HotSpan span, long nowNs) {
    long quiet = nowNs - span.trace.newsNs;
    boolean lost = span.outcome(hot.processes(), nowNs) == Outcome.LOST;
    long heard = hot.processes().heardNs(span.told.origin().instance());
    return lost ? nowNs - heard > LOST_NS && quiet > LOST_NS : quiet > FORGOTTEN_NS;
  }

  // ---- after the segment is durable ------------------------------------------------------------

  /** The batch is in a durable segment: what nobody needs any more leaves. */
  @SuppressWarnings("ReferenceEquality") // a verdict that is equal is the same record
  public void done(Batch batch, long nowNs) {
    hot.settle(); // What came in while it was written counts as news.
    List<HotSpan> ofLanes = new ArrayList<>();
    for (Group group : batch.groups()) {
      hot.sealed(group.spans());
      HotSession session = group.session();
      session.run.sealedSpans += group.spans().size();
      if (session.key.lane()) {
        group.spans().forEach(row -> ofLanes.add(row.span()));
      } else {
        session.parts++;
        session.revised = session.verdict != group.verdict();
        leaveIfOver(session, nowNs);
        group.spans().forEach(row -> row.span().strip());
      }
    }
    hot.drop(ofLanes);
    sweep(nowNs);
  }

  /** Sessions that nothing more is expected of, and skeletons beyond the limit. */
  private void sweep(long nowNs) {
    hot.dropEmptyRuns();
    boolean tooMany = hot.counts().skeletons > MOST_SKELETONS;
    for (HotSession session : List.copyOf(hot.sessions())) {
      if (session.key.lane()) {
        if (session.spans.isEmpty()) {
          hot.remove(session);
        }
        continue;
      }
      if (tooMany) {
        hot.dropSkeletons(session);
      }
      leaveIfOver(session, nowNs);
    }
  }

  private void leaveIfOver(HotSession session, long nowNs) {
    boolean allSealed = session.parts > 0 && session.spans.stream().allMatch(s -> s.sealed);
    if (!allSealed || session.revised) {
      return;
    }
    long patience = session.inferred.isEmpty() ? UNDECIDED_NS : LOST_NS;
    boolean silent = age(session.newsNs, nowNs) > patience;
    if (isOver(session, nowNs) || silent) {
      SessionSummary<HotSpan> facts = session.facts();
      session.run.left(session, LiveView.card(session.run, session, hot.processes(), nowNs), facts);
      hot.remove(session);
    }
  }
}
