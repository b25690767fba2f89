package io.rollscope.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.cli.render.JsonReport;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.Detail;
import io.rollscope.core.view.ErrorsReport;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.OccupancyReport;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.ReportContext.SkippedLines;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionFilter;
import io.rollscope.core.view.SessionListReport;
import io.rollscope.core.view.SessionsReport;
import io.rollscope.formats.folder.FolderReader;
import io.rollscope.formats.folder.FolderRun;
import io.rollscope.formats.folder.RunData;
import io.rollscope.formats.folder.SourcePath;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Writes what a folder answers to many filters, and the data of its report: tests/ui/run says where
 * to, and ui/src/data/report/goldens.test.ts asks the report's page the same.
 */
public class ReportGoldensTest {
  private static final Path SAMPLES = Path.of("../formats/src/test/resources/samples");
  private static final Path GOLDENS =
      Path.of(System.getProperty("rollscope.goldens", "target/report-goldens"));
  private static final int BUCKETS = 50;
  private static final int MOST = 1_000;

  public record Golden(
      SessionFilter filter,
      HotspotsReport hotspots,
      ErrorsReport errors,
      SessionsReport summary,
      SessionListReport list,
      OccupancyReport occupancy) {}

  public record Goldens(List<Golden> goldens) {}

  @ParameterizedTest
  @ValueSource(strings = {"xtuner/run1", "areal/current", "areal/old", "xtuner/main-otlp"})
  void aFolderAnswersAtLeastTwentyFilters(String sample) throws IOException {
    FolderReader reader =
        new FolderReader(new SourcePath(SAMPLES.resolve(sample).toString()), null, null, 1L << 30);
    reader.readAll();
    RunData run = reader.runs().newest();
    ReportContext context = new ReportContext(sample, run.id(), new SkippedLines(0, List.of()));
    FolderRun folder = new FolderRun(run, reader.files(), context, Long.MAX_VALUE);
    ReportData data =
        new FolderReport(
                run, reader.files(), Scope.ALL, context, Nanos.UNKNOWN, null, FolderReport.BUDGET)
            .gather(1, n -> {});
    List<Golden> goldens = new ArrayList<>();
    for (SessionFilter filter : filters(data)) {
      ReportRequest request = ReportRequest.of(Scope.ALL).filter(filter).limit(MOST);
      goldens.add(
          new Golden(
              filter,
              folder.hotspots(request.detail(Detail.ALL)),
              folder.errors(request),
              folder.sessions(request),
              folder.sessionList(request.sort("-wall")),
              folder.occupancy(request.limit(BUCKETS))));
    }
    assertThat(goldens).hasSizeGreaterThanOrEqualTo(20);
    Files.createDirectories(GOLDENS);
    String name = sample.replace('/', '-');
    write(GOLDENS.resolve(name + ".report.json"), data);
    write(GOLDENS.resolve(name + ".goldens.json"), new Goldens(goldens));
  }

  private static void write(Path file, Object value) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      JsonReport.writeCompact(value, out);
    }
  }

  /** Of what the run has some of each kind, what it has not, and several at once. */
  private static List<SessionFilter> filters(ReportData data) {
    List<SessionFilter> filters = new ArrayList<>();
    data.sessions()
        .statuses()
        .forEach(s -> filters.add(new SessionFilter(s, null, null, null, null)));
    List<String> stages = data.timeline().nameStages().stream().distinct().limit(5).toList();
    stages.forEach(s -> filters.add(new SessionFilter(null, s, null, null, null)));
    first(data.sessions().tasks())
        .forEach(t -> filters.add(new SessionFilter(null, null, t, null, null)));
    first(data.sessions().taskNames())
        .forEach(t -> filters.add(new SessionFilter(null, null, t, null, null)));
    first(data.sessions().workers())
        .forEach(w -> filters.add(new SessionFilter(null, null, null, w, null)));
    first(data.sessions().reasons())
        .forEach(
            r ->
                filters.add(new SessionFilter(null, null, null, null, r.toUpperCase(Locale.ROOT))));
    String session = data.sessions().session()[0];
    for (String text :
        List.of(
            session, "rank 1", "timeout", "E", "gen", "%", "no such", "1", "7", "judge", "tool")) {
      filters.add(new SessionFilter(null, null, null, null, text));
    }
    for (String worker : List.of("rollout", "agent:1", "rank 1", "1", "nobody")) {
      filters.add(new SessionFilter(null, null, null, worker, null));
    }
    filters.add(new SessionFilter("failed", stages.get(0), null, null, null));
    filters.add(new SessionFilter("completed", stages.get(0), null, null, "1"));
    return filters;
  }

  private static List<String> first(List<String> words) {
    return words.subList(0, Math.min(3, words.size()));
  }
}
