package io.rollscope.contract;

import io.rollscope.core.report.RunReports;
import io.rollscope.core.view.ReportContext;
import io.rollscope.formats.folder.FolderReader;
import io.rollscope.formats.folder.FolderRun;
import io.rollscope.formats.folder.RunData;
import io.rollscope.formats.folder.SourcePath;
import io.rollscope.formats.otlp.OtlpFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs as they are read from files. */
public final class Folders {
  private static final long MOST_BYTES = 512L << 20;

  private Folders() {}

  /** The run that a folder is about. */
  public static String newest(Path folder) {
    try {
      return read(folder).runs().newest().id();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a run. */
  public static RunReports run(Path folder, String run) throws IOException {
    FolderReader reader = read(folder);
    if (!reader.runs().ids().contains(run)) {
      throw new IOException("run: " + run + " (expected: one of " + reader.runs().ids() + ")");
    }
    RunData data = reader.runs().run(run);
    ReportContext context =
        new ReportContext(
            "folder", data.id(), List.of(), new ReportContext.SkippedLines(0, List.of()));
    long now = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    return new FolderRun(data, reader.files(), context, now);
  }

  private static FolderReader read(Path folder) throws IOException {
    SourcePath source = SourcePath.of(List.of(folder.toString()));
    FolderReader reader = new FolderReader(source, null, null, MOST_BYTES);
    reader.substitute(OtlpFormat::withMetrics);
    reader.readAll();
    return reader;
  }
}
