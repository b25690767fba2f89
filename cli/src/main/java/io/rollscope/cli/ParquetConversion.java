package io.rollscope.cli;

import io.rollscope.cli.process.ServerLog;
import io.rollscope.cli.process.TemporaryFolder;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.ProgressBar;
import io.rollscope.formats.output.OutputFile;
import io.rollscope.server.tail.FolderImport;
import io.rollscope.server.tail.ImportResult;
import io.rollscope.store.Store;
import io.rollscope.store.StoreOptions;
import io.rollscope.store.query.ParquetExport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Folders as one Parquet file: they go through a store, as they would through a server's. */
final class ParquetConversion {
  /**
   * What became of it.
   *
   * @param spans in the file
   */
  record Result(ImportResult read, long spans) {}

  private ParquetConversion() {}

  static Result convert(List<Path> sources, ReadOptions options, OutputFile out, Console console)
      throws IOException {
    ServerLog.configure();
    try (TemporaryFolder scratch = TemporaryFolder.in(out.scratchFolder());
        Store store = Store.open(StoreOptions.defaults(scratch.path().resolve("data")))) {
      ImportResult read = read(sources, options, store, console);
      while (store.numbers().queuedRequests() > 0) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
      Path file = scratch.path().resolve("spans.parquet");
      long spans = ParquetExport.spans(store.snapshots(), file);
      Files.copy(file, out.stream());
      return new Result(read, spans);
    }
  }

  private static ImportResult read(
      List<Path> sources, ReadOptions options, Store store, Console console) throws IOException {
    try (ProgressBar bar = console.progress("reading")) {
      return FolderImport.run(
          sources,
          options.as,
          options.run,
          store,
          (done, total, spans) ->
              bar.at(done, total, String.format(Locale.ROOT, "%,d spans", spans)));
    }
  }
}
