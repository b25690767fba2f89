package io.rollscope.formats.chrome;

import io.rollscope.formats.folder.LineSource;
import io.rollscope.formats.json.JsonText;
import io.rollscope.formats.output.OutputFile;
import io.rollscope.formats.scan.Skipped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Makes one Chrome trace of AReaL's perf traces. Heap use does not depend on how many events there
 * are; what does not fit is sorted in temporary files beside the output.
 */
public final class PerfConverter {
  private static final int MAX_THREADS = 4;
  private static final long MAX_BUFFER = 256L << 20;

  /**
   * How to convert.
   *
   * @param compatible whether the result is to be that of AReaL's own converter; else threads keep
   *     their names and overlapping slices are put where they nest
   * @param aligned whether the processes are put on one clock by the training steps they pass
   *     together
   * @param displayTimeUnit in which the viewer shows times: {@code ms} or {@code ns}
   */
  public record Options(boolean compatible, boolean aligned, String displayTimeUnit) {

    public Options {
      if (!displayTimeUnit.equals("ms") && !displayTimeUnit.equals("ns")) {
        throw new IllegalArgumentException(
            "display time unit: " + displayTimeUnit + " (expected: ms or ns)");
      }
    }

    /** What is best to look at. */
    public static Options usual() {
      return new Options(false, true, "ms");
    }

    /** What AReaL's own converter does. */
    public static Options likeAreal() {
      return new Options(true, false, "ms");
    }
  }

  /**
   * What was done.
   *
   * @param events how many events were written, without names and sort orders
   * @param metadata how many names and sort orders were written
   * @param moved how many slices were moved to a further row because they overlapped another
   * @param clocks how the clocks were put right; empty if they were left alone
   * @param spilledFiles how many temporary files were needed
   * @param skipped lines that could not be used
   */
  public record Result(
      long events,
      long metadata,
      long moved,
      List<ProcessClock> clocks,
      int spilledFiles,
      Skipped skipped) {}

  private final Options options;
  private final long buffer;
  private LongConsumer progress = bytes -> {};

  public PerfConverter(Options options) {
    this(options, Math.min(MAX_BUFFER, Runtime.getRuntime().maxMemory() / 4));
  }

  /**
   * @param buffer how many bytes of events are sorted in memory
   */
  PerfConverter(Options options, long buffer) {
    this.options = options;
    this.buffer = buffer;
  }

  /** Is told of the bytes read; each file is read twice. */
  public PerfConverter onProgress(LongConsumer listener) {
    progress = listener;
    return this;
  }

  /** Converts perf trace files, in this order, into one trace. The caller commits the output. */
  public Result convert(List<Path> files, OutputFile output) throws IOException {
    LineSource lines = new LineSource(files);
    lines.onProgress(progress);
    Skipped skipped = new Skipped();
    List<LocalThreads> threads = new ArrayList<>();
    int readers = Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());
    for (int i = 0; i < readers; i++) {
      threads.add(new LocalThreads());
    }
    Census census = takeCensus(lines, threads, skipped);
    Tracks tracks = new Tracks(census.threads());
    Clocks clocks = options.aligned() ? Clocks.aligned(census) : Clocks.asTheyAre();
    try (SortedRuns runs = new SortedRuns(output.scratchFolder(), buffer)) {
      List<EventRewriter> rewriters = new ArrayList<>();
      for (LocalThreads local : threads) {
        boolean nesting = !options.compatible();
        rewriters.add(new EventRewriter(local, census, tracks, clocks, nesting, runs));
      }
      // Bad lines were counted in the first pass.
      lines.read(rewriters, new Skipped());
      return write(output, census, tracks, clocks, runs, skipped);
    }
  }

  private Census takeCensus(LineSource lines, List<LocalThreads> threads, Skipped skipped)
      throws IOException {
    Census census = new Census();
    List<CensusReader> readers =
        threads.stream().map(t -> new CensusReader(census, t, options.aligned())).toList();
    lines.read(readers, skipped);
    readers.forEach(CensusReader::finish);
    census.numberFlows();
    if (options.compatible()) {
      census.names().settleByRank();
    } else {
      census.names().settleByFile(census.processesOfFile());
    }
    return census;
  }

  private Result write(
      OutputFile output,
      Census census,
      Tracks tracks,
      Clocks clocks,
      SortedRuns runs,
      Skipped skipped)
      throws IOException {
    EventList events = new EventList(output.stream());
    MetadataWriter metadata = new MetadataWriter(events, tracks, census.names());
    metadata.writeAll();
    EventWriter writer = new EventWriter(events, tracks);
    runs.merge(writer);
    writer.writeExtraRows(metadata);
    JsonText json = events.end(options.displayTimeUnit());
    if (!options.compatible()) {
      writeOtherData(json, clocks.report());
    }
    events.finish();
    return new Result(
        writer.written(),
        events.count() - writer.written(),
        writer.moved(),
        clocks.report(),
        runs.spills(),
        skipped);
  }

  private static void writeOtherData(JsonText json, List<ProcessClock> clocks) {
    json.raw(", \"otherData\": {\"converter\": \"rollscope\", \"clocks\": [");
    String separator = "";
    for (ProcessClock clock : clocks) {
      json.raw(separator).raw("{\"rank\": ").number(clock.worker().rank());
      if (clock.worker().role() != null) {
        json.raw(", \"role\": ").string(clock.worker().role());
      }
      json.raw(", \"pid\": ").string(clock.pid());
      json.raw(", \"offset_us\": ").thousandths(clock.offsetNs());
      json.raw(", \"spread_us\": ").thousandths(clock.spreadNs());
      json.raw(", \"pairs\": ").number(clock.pairs()).raw("}");
      separator = ", ";
    }
    json.raw("]}");
  }
}
