package io.rollscope.benchmarks.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport;
import io.rollscope.core.diagnosis.FindingsView;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.Scope;
import io.rollscope.formats.folder.FolderReader;
import io.rollscope.formats.folder.RunData;
import io.rollscope.formats.folder.SourcePath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Asks for the findings of a folder, as {@code rollscope diagnose} does. */
final class Diagnosis {
  private final FolderReader reader;
  private final Path folder;

  /** Reads a folder. */
  Diagnosis(Path folder) throws IOException {
    this.folder = folder;
    long limit = (long) (Runtime.getRuntime().maxMemory() * 0.75);
    reader = new FolderReader(new SourcePath(folder.toString()), null, null, limit);
    reader.readAll();
    if (reader.skipped().count() > 0) {
      throw new IOException(folder + ": " + reader.skipped().count() + " lines cannot be read");
    }
  }

  RunData run() {
    return reader.runs().newest();
  }

  FindingsReport findings() {
    ReportContext context =
        new ReportContext(
            folder.toString(), run().id(), new ReportContext.SkippedLines(0, List.of()));
    return FindingsView.of(run().table(), Scope.ALL, context);
  }
}
