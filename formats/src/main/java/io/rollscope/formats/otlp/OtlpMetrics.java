package io.rollscope.formats.otlp;

import io.rollscope.core.metric.HistogramState;
import io.rollscope.core.metric.MetricSeries;
import io.rollscope.core.metric.PointProblem;
import io.rollscope.core.metric.PointTable;
import io.rollscope.core.steps.Steps;
import io.rollscope.formats.folder.Runs;
import io.rollscope.formats.folder.TraceFile;
import io.rollscope.otlp.Key;
import io.rollscope.otlp.record.MetricPoint;
import io.rollscope.otlp.record.Origin;
import io.rollscope.otlp.record.Request;
import io.rollscope.otlp.record.SpanRecord;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Puts the metric points of OTLP files into the tables of their runs. */
final class OtlpMetrics implements Runs.Unsettled {
  private static final double[] NONE = {};

  private final Map<String, PointTable> tables = new LinkedHashMap<>();

  /** When batches began: points that name no step belong to one by their time. */
  private final Steps steps = new Steps();

  void add(Request request, TraceFile file) {
    for (SpanRecord span : request.spans()) {
      if (span.said().trainStep() != null) {
        String run = span.said().run();
        steps.began(
            run == null ? OtlpTraces.service(span.origin(), file) : run,
            span.said().trainStep(),
            span.startNs());
      }
    }
    for (MetricPoint point : request.points()) {
      String run = point.run() == null ? OtlpTraces.service(point.origin(), file) : point.run();
      add(point, tables.computeIfAbsent(run, r -> new PointTable()));
    }
  }

  private static void add(MetricPoint point, PointTable table) {
    if (point.isNegativeIncrement()) {
      String detail = "an increment of " + point.value();
      table.problem(point.name(), PointProblem.NEGATIVE_INCREMENT, detail);
      return;
    }
    int series = table.find(point.series());
    if (series < 0) {
      if (!table.admits(point.name(), point.labelSet())) {
        String detail = "more than " + PointTable.MOST_LABEL_SETS + " label sets";
        table.problem(point.name(), PointProblem.CARDINALITY, detail);
        return;
      }
      series = table.add(identity(point));
    }
    table.add(
        series,
        new PointTable.Point(
            point.startNs(),
            point.timeNs(),
            point.value(),
            state(point),
            point.trainStep(),
            point.isIncrement(),
            point.stale(),
            point.scraped()));
  }

  private static MetricSeries.Identity identity(MetricPoint point) {
    Map<String, String> labels = new TreeMap<>();
    point.attributes().forEach(labels::put);
    if (point.trainStep() != null) {
      labels.remove(Key.TRAIN_STEP.text());
    }
    return new MetricSeries.Identity(
        point.name(),
        point.series(),
        point.kind(),
        point.unit(),
        point.temporality(),
        Boolean.TRUE.equals(point.monotonic()),
        labels,
        process(point.origin()));
  }

  /** In the order of {@link MetricSeries#PROCESS}. */
  private static Map<String, String> process(Origin origin) {
    Object[] facts = {
      origin.service(), origin.instance(), origin.host(), origin.workerRole(), origin.workerRank()
    };
    Map<String, String> process = new TreeMap<>();
    for (int i = 0; i < facts.length; i++) {
      if (facts[i] != null) {
        process.put(MetricSeries.PROCESS.get(i), facts[i].toString());
      }
    }
    return process;
  }

  private static HistogramState state(MetricPoint point) {
    if (point.count() == null) {
      return null;
    }
    MetricPoint.Exponential wide = point.exponential();
    return new HistogramState(
        point.count(),
        point.sum() == null ? 0 : point.sum(),
        point.bounds(),
        doubles(point.counts()),
        wide == null ? 0 : wide.scale(),
        wide == null ? 0 : wide.zeroCount(),
        wide == null ? 0 : wide.zeroThreshold(),
        wide == null ? 0 : wide.offset(),
        wide == null ? 0 : wide.negativeOffset(),
        wide == null ? NONE : doubles(wide.negativeCounts()));
  }

  private static double[] doubles(long[] counts) {
    return counts == null ? NONE : Arrays.stream(counts).asDoubleStream().toArray();
  }

  @Override
  public void settle(Runs runs) {
    tables.forEach(
        (run, table) -> {
          table.steps(timeNs -> steps.at(run, timeNs));
          runs.run(run).metrics(table);
        });
  }

  @Override
  public long bytes() {
    return tables.values().stream().mapToLong(PointTable::bytes).sum();
  }
}
