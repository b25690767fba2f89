package io.rollscope.core.view;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.accounting.Group;
import io.rollscope.core.accounting.SiblingWaits;
import io.rollscope.core.accounting.Window;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.pairing.Parents;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.HotspotsReport.Waits;
import io.rollscope.core.view.SessionReport.Sibling;
import io.rollscope.core.view.SessionReport.SpanLine;
import io.rollscope.core.view.SessionReport.StageTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Answers what one session did, and when. */
public final class SessionView {
  private static final int MAX_SIBLINGS = 64;

  /**
   * What was read again from the source.
   *
   * @param attributes what its last line says, as text
   * @param events its lines in order of time
   * @param spans what its spans say
   */
  public record SourceLines(
      Map<String, String> attributes, List<String> events, SpanAttributes spans) {

    /** Nothing but lines. */
    public SourceLines(Map<String, String> attributes, List<String> events) {
      this(attributes, events, SpanAttributes.NONE);
    }

    /** Nothing was read again. */
    public static final SourceLines NONE = new SourceLines(Map.of(), List.of());
  }

  private SessionView() {}

  /**
   * Looks at one session.
   *
   * @param nowNs until when open spans count; {@link Nanos#UNKNOWN} for the last event of the run
   * @param source what the source itself says of the session
   */
  public static SessionReport of(
      SpanTable table, int session, long nowNs, SourceLines source, ReportContext context) {
    SessionSpans spans = new SessionSpans(table);
    spans.load(session);
    SessionState state = SessionState.of(spans);
    Coordinates at = state.at();
    boolean given = nowNs != Nanos.UNKNOWN && !table.hasRelativeClock(session);
    long now = given ? nowNs : table.newestInstant(session);
    Window window = Window.of(spans, state.status(), now);
    Siblings siblings = new Siblings(table, session, TableGroups.of(table, session, at), now);
    SessionSegments segments = new SessionSegments(spans);
    Accounting accounting = new Accounting();
    accounting.tell(segments, siblings.end);
    accounting.account(spans, window.from(), window.to(), window.finalised());
    long[] self = selfTimes(spans, accounting, siblings.end);
    return new SessionReport(
        context.source(),
        context.run(),
        table.key(session),
        table.traceId(session),
        at.task(),
        at.taskName(),
        table.noteText(table.inferredGroup(session)),
        Scope.batchOf(at),
        at.trainStep(),
        at.modelStep(),
        at.futureStep(),
        at.worker().label(),
        state.status().word(),
        state.sourceStatus(),
        state.reason(),
        table.hasRelativeClock(session),
        Nanos.toSeconds(window.from()),
        Nanos.toSeconds(window.to()),
        window.finalised(),
        Nanos.toSeconds(accounting.wall()),
        Nanos.toSeconds(accounting.workEnd() - window.from()),
        table.rewardAndTokens(session).reward(),
        table.rewardAndTokens(session).inputTokens(),
        table.rewardAndTokens(session).outputTokens(),
        stages(spans, self, (double) (accounting.wall() - accounting.barrier())),
        waits(accounting, siblings.end),
        lines(spans, self, window.finalised() ? window.to() : now, source.spans()),
        segments.list(),
        siblings.list,
        source.attributes(),
        source.events(),
        context.otherRuns(),
        context.skippedLines());
  }

  /** Per span: time as blocking leaf that was no wait for siblings. */
  static long[] selfTimes(SessionSpans spans, Accounting accounting, long othersEnd) {
    long[] self = new long[spans.count()];
    for (int i = 0; i < self.length; i++) {
      self[i] = accounting.self(i);
    }
    for (int k = 0; k < accounting.candidateCount(); k++) {
      self[accounting.candidateLeaf(k)] -=
          SiblingWaits.cut(accounting.candidateFrom(k), accounting.candidateTo(k), othersEnd);
    }
    return self;
  }

  private static List<StageTime> stages(SessionSpans spans, long[] self, double sharedNs) {
    Map<String, long[]> byStage = new LinkedHashMap<>();
    for (int i = 0; i < spans.count(); i++) {
      if (!spans.isWork(i)) {
        continue;
      }
      long[] sums = byStage.computeIfAbsent(spans.stage(i), s -> new long[2]);
      sums[0]++;
      sums[1] += self[i];
    }
    return byStage.entrySet().stream()
        .map(
            e ->
                new StageTime(
                    e.getKey(),
                    (int) e.getValue()[0],
                    Nanos.toSeconds(e.getValue()[1]),
                    sharedNs == 0 ? 0 : e.getValue()[1] / sharedNs))
        .sorted(Comparator.comparingDouble(StageTime::selfS).reversed())
        .toList();
  }

  private static Waits waits(Accounting a, long othersEnd) {
    return new Waits(
        Nanos.toSeconds(a.queue()),
        Nanos.toSeconds(a.gap()),
        Nanos.toSeconds(a.siblings(othersEnd)),
        Nanos.toSeconds(a.barrier()),
        Nanos.toSeconds(a.unaccounted()),
        Nanos.toSeconds(a.outside()));
  }

  /** Whether a span, or one in it, was at some time what the session was doing. */
  static boolean[] critical(SessionSpans spans, long[] self) {
    Parents parents = new Parents(spans);
    parents.find();
    boolean[] critical = new boolean[spans.count()];
    for (int i = 0; i < critical.length; i++) {
      if (self[i] > 0) {
        for (int up = i; up >= 0 && !critical[up]; up = parents.of(up)) {
          critical[up] = true;
        }
      }
    }
    return critical;
  }

  private static String hex(long id) {
    return id == 0 ? null : HexFormat.of().toHexDigits(id);
  }

  private static List<SpanLine> lines(
      SessionSpans spans, long[] self, long closesAt, SpanAttributes said) {
    boolean[] critical = critical(spans, self);
    List<SpanLine> lines = new ArrayList<>();
    for (int i : spans.drawOrder(closesAt)) {
      Coordinates at = spans.at(i);
      int row = spans.startRow(i) < 0 ? spans.endRow(i) : spans.startRow(i);
      lines.add(
          new SpanLine(
              spans.table().nameOf(spans.name(i)).raw(),
              spans.stage(i),
              spans.outcome(i).word(),
              spans.depth(i),
              Nanos.toSeconds(spans.start(i)),
              spans.isOpen(i) ? null : Nanos.toSeconds(spans.end(i)),
              Nanos.toSeconds(spans.end(i, closesAt) - spans.start(i)),
              Nanos.toSeconds(self[i]),
              at.worker().label(),
              at.trainStep(),
              at.sourceStatus(),
              spans.error(i),
              spans.clockDisagrees(i),
              hex(spans.spanId(i)),
              hex(spans.parentId(i)),
              spans.kind(i).word(),
              critical[i],
              said.of(row).attributes(),
              said.of(row).cut(),
              said.of(row).stack()));
    }
    return lines;
  }

  /** The other sessions of a session's group, and when the last of them was done by itself. */
  private static final class Siblings {
    private final List<Sibling> list;
    private long end = SiblingWaits.NOBODY;

    /** One of them and when it began. */
    private record Begun(long from, Sibling sibling) {}

    Siblings(SpanTable table, int session, Group group, long now) {
      SessionSpans spans = new SessionSpans(table);
      Accounting accounting = new Accounting();
      List<Begun> all = new ArrayList<>();
      for (int s = 0; group != null && s < table.sessionCount(); s++) {
        boolean alike =
            table.taskId(s) == table.taskId(session)
                && table.inferredGroup(s) == table.inferredGroup(session);
        if (s == session || !alike || table.isLane(s)) {
          continue;
        }
        spans.load(s);
        SessionState state = SessionState.of(spans);
        if (!group.equals(TableGroups.of(table, s, state.at()))) {
          continue;
        }
        Window window = Window.of(spans, state.status(), now);
        accounting.account(spans, window.from(), window.to(), window.finalised());
        end = Math.max(end, accounting.ownEnd());
        double wall = Nanos.toSeconds(window.to() - window.from());
        Double reward = table.rewardAndTokens(s).reward();
        Sibling one = new Sibling(table.key(s), state.status().word(), wall, reward);
        all.add(new Begun(window.from(), one));
      }
      all.sort(Comparator.comparingLong(Begun::from).thenComparing(b -> b.sibling().session()));
      list = all.stream().limit(MAX_SIBLINGS).map(Begun::sibling).toList();
    }
  }
}
