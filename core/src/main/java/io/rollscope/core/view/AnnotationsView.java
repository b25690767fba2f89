package io.rollscope.core.view;

import io.rollscope.core.metric.AnnotationsReport;
import io.rollscope.core.metric.AnnotationsReport.BatchSpan;
import io.rollscope.core.metric.AnnotationsReport.WeightSync;
import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Finds what charts of a run mark: batches and weight syncs. */
public final class AnnotationsView {
  private static final Pattern WEIGHTS = Pattern.compile(AnnotationsReport.WEIGHTS);
  private static final Set<String> OPEN = Set.of(Status.QUEUED.word(), Status.RUNNING.word());

  private final long fromNs;
  private final long toNs;

  private AnnotationsView(Long fromNs, Long toNs) {
    this.fromNs = fromNs == null ? Long.MIN_VALUE : fromNs;
    this.toNs = toNs == null ? Long.MAX_VALUE : toNs;
  }

  /**
   * Those of a window.
   *
   * @param sessions all of the run
   * @param steps train steps by batch
   * @param fromNs null for the beginning; likewise the other
   */
  public static AnnotationsReport of(
      SpanTable table,
      SessionColumns sessions,
      Map<String, Long> steps,
      Long fromNs,
      Long toNs,
      ReportContext context) {
    AnnotationsView view = new AnnotationsView(fromNs, toNs);
    List<BatchSpan> batches = view.batches(table, sessions, steps);
    List<WeightSync> syncs = view.syncs(table);
    int most = AnnotationsReport.MOST;
    return new AnnotationsReport(
        context.source(),
        context.run(),
        newest(batches),
        newest(syncs),
        batches.size() > most || syncs.size() > most);
  }

  private static <T> List<T> newest(List<T> sorted) {
    return List.copyOf(
        sorted.subList(Math.max(0, sorted.size() - AnnotationsReport.MOST), sorted.size()));
  }

  private List<BatchSpan> batches(SpanTable table, SessionColumns all, Map<String, Long> steps) {
    Map<String, BatchSpan> batches = new HashMap<>();
    for (int i = 0; i < all.session().length; i++) {
      if (all.batch()[i] < 0 || table.hasRelativeClock(table.findSession(all.session()[i]))) {
        continue;
      }
      String batch = all.batches().get(all.batch()[i]);
      boolean open = OPEN.contains(all.statuses().get(all.status()[i]));
      BatchSpan one = new BatchSpan(batch, steps.get(batch), all.startS()[i], all.endS()[i], open);
      batches.merge(batch, one, AnnotationsView::united);
    }
    return batches.values().stream()
        .filter(b -> isInside(Nanos.fromSeconds(b.startS()), Nanos.fromSeconds(b.endS())))
        .sorted(Comparator.comparingDouble(BatchSpan::startS).thenComparing(BatchSpan::batch))
        .toList();
  }

  private static BatchSpan united(BatchSpan a, BatchSpan b) {
    return new BatchSpan(
        a.batch(),
        a.trainStep(),
        Math.min(a.startS(), b.startS()),
        Math.max(a.endS(), b.endS()),
        a.open() || b.open());
  }

  private boolean isInside(long start, long end) {
    return start < toNs && end >= fromNs;
  }

  private record Stretch(long start, long end) {}

  /** Lanes that do it at the same time are one. */
  private List<WeightSync> syncs(SpanTable table) {
    Map<String, List<Stretch>> byStage = new TreeMap<>();
    SessionSpans lane = new SessionSpans(table);
    for (int s = 0; s < table.sessionCount(); s++) {
      if (!table.isLane(s) || table.hasRelativeClock(s)) {
        continue;
      }
      lane.load(s);
      for (int i = 0; i < lane.count(); i++) {
        String text = (lane.stage(i) + " " + lane.rawName(i)).toLowerCase(Locale.ROOT);
        if (isInside(lane.start(i), lane.end(i)) && WEIGHTS.matcher(text).find()) {
          byStage
              .computeIfAbsent(lane.stage(i), stage -> new ArrayList<>())
              .add(new Stretch(lane.start(i), lane.end(i)));
        }
      }
    }
    List<WeightSync> syncs = new ArrayList<>();
    byStage.forEach((stage, stretches) -> add(stage, stretches, syncs));
    syncs.sort(Comparator.comparingDouble(WeightSync::startS).thenComparing(WeightSync::stage));
    return syncs;
  }

  private static void add(String stage, List<Stretch> stretches, List<WeightSync> syncs) {
    stretches.sort(Comparator.comparingLong(Stretch::start).thenComparingLong(Stretch::end));
    long from = 0;
    long to = 0;
    long count = 0;
    for (Stretch one : stretches) {
      if (count > 0 && one.start() > to) {
        syncs.add(sync(stage, from, to, count));
        count = 0;
      }
      from = count == 0 ? one.start() : from;
      to = count == 0 ? one.end() : Math.max(to, one.end());
      count++;
    }
    if (count > 0) {
      syncs.add(sync(stage, from, to, count));
    }
  }

  private static WeightSync sync(String stage, long from, long to, long count) {
    return new WeightSync(stage, from / 1e9, to == Nanos.OPEN ? null : (Double) (to / 1e9), count);
  }
}
