package io.rollscope.server.tail;

import io.opentelemetry.proto.trace.v1.Span;
import io.rollscope.formats.folder.LineFetcher;
import io.rollscope.formats.folder.TraceFile;
import io.rollscope.formats.scan.LineFields;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * What a line says beyond what has a place in the table, fetched from the file again: it is kept as
 * attributes {@code xtuner.*} and {@code areal.*}, as text so that long numbers survive.
 */
final class LineAttributes implements Closeable {
  private static final int MAX_VALUE = 4096;

  /** Fields that a span says under other names. */
  private static final Map<String, Set<String>> SAID_ALREADY =
      Map.of(
          "xtuner",
          Set.of(
              "trace_id",
              "stage",
              "timestamp_s",
              "status",
              "task_name",
              "train_step",
              "model_step",
              "producer_future_step",
              "produce_batch_id",
              "worker_rank",
              "elapsed_s",
              "error_msg"),
          "areal-sessions",
          Set.of("task_id", "rank", "role", "status", "reason", "rejection_reason"),
          "areal-perf",
          Set.of("name", "ph", "ts", "dur", "args.rank", "args.role", "args.exception"));

  private final IntFunction<TraceFile> files;
  private final LineFetcher lines;

  LineAttributes(IntFunction<TraceFile> files) {
    this.files = files;
    this.lines = new LineFetcher(files);
  }

  /** Adds what the line at this place says beside. */
  void addTo(Span.Builder span, int file, long offset) {
    String format = files.apply(file).format().id();
    Set<String> said = SAID_ALREADY.getOrDefault(format, Set.of());
    String prefix = format.startsWith("areal") ? "areal." : format + ".";
    LineFields.of(line(file, offset))
        .forEach(
            (name, value) -> {
              if (!said.contains(name)) {
                String kept = value.length() > MAX_VALUE ? value.substring(0, MAX_VALUE) : value;
                span.addAttributesBuilder()
                    .setKey(prefix + name)
                    .getValueBuilder()
                    .setStringValue(kept);
              }
            });
  }

  private String line(int file, long offset) {
    try {
      String line = lines.line(file, offset);
      if (line == null) {
        throw new NoSuchFileException(files.apply(file).path().toString());
      }
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets go of the files; they are opened again when needed. */
  @Override
  public void close() throws IOException {
    lines.close();
  }
}
