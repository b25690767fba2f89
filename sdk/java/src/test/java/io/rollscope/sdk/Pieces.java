package io.rollscope.sdk;

import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.report.RunReports;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.Scope;
import io.rollscope.formats.folder.FolderReader;
import io.rollscope.formats.folder.FolderRun;
import io.rollscope.formats.folder.SourcePath;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** What was written to a folder: as any tool reads it, and as our reader does. */
final class Pieces {
  private static final long MOST_BYTES = 512L << 20;

  private Pieces() {}

  static List<Path> in(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  static List<String> lines(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    if (file.toString().endsWith(".gz")) {
      bytes = new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes();
    }
    return new String(bytes, StandardCharsets.UTF_8).lines().toList();
  }

  /** How many sessions our reader finds. */
  static int sessions(Path folder) throws IOException {
    FolderReader reader = read(folder);
    return reader.runs().ids().isEmpty()
        ? 0
        : run(reader).live(ReportRequest.of(Scope.ALL)).sessionSummary().get("total");
  }

  /** The newest run there. */
  static RunReports run(Path folder) throws IOException {
    return run(read(folder));
  }

  private static RunReports run(FolderReader reader) {
    ReportContext context =
        new ReportContext(
            "folder",
            reader.runs().newest().id(),
            List.of(),
            new ReportContext.SkippedLines(0, List.of()));
    long now = System.currentTimeMillis() * 1_000_000;
    return new FolderRun(reader.runs().newest(), reader.files(), context, now);
  }

  private static FolderReader read(Path folder) throws IOException {
    FolderReader reader =
        new FolderReader(SourcePath.of(List.of(folder.toString())), null, null, MOST_BYTES);
    reader.readAll();
    return reader;
  }
}
