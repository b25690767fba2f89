package io.rollscope.server.tail;

import io.opentelemetry.proto.trace.v1.Span;
import io.rollscope.formats.folder.TraceFile;
import io.rollscope.formats.scan.LineFields;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * What a line says beyond what has a place in the table, fetched from the file again: it is kept as
 * attributes {@code xtuner.*} and {@code areal.*}, as text so that long numbers survive.
 */
final class LineAttributes implements Closeable {
  private static final int MAX_OPEN = 32;
  private static final int MAX_VALUE = 4096;
  private static final int MAX_LINE = 1 << 20;

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
  private final Map<Integer, FileChannel> open = new LinkedHashMap<>(16, .75f, true);
  private byte[] buffer = new byte[4096];

  LineAttributes(IntFunction<TraceFile> files) {
    this.files = files;
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
      FileChannel channel = channel(file);
      int filled = 0;
      while (true) {
        ByteBuffer target = ByteBuffer.wrap(buffer, filled, buffer.length - filled);
        int n = channel.read(target, offset + filled);
        for (int i = filled; i < filled + n; i++) {
          if (buffer[i] == '\n') {
            return new String(buffer, 0, i, StandardCharsets.UTF_8);
          }
        }
        filled += Math.max(0, n);
        if (n <= 0 || filled >= MAX_LINE) {
          return new String(buffer, 0, filled, StandardCharsets.UTF_8);
        }
        if (filled == buffer.length) {
          buffer = Arrays.copyOf(buffer, 2 * filled);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private FileChannel channel(int file) throws IOException {
    FileChannel known = open.get(file);
    if (known != null) {
      return known;
    }
    if (open.size() == MAX_OPEN) {
      Iterator<FileChannel> eldest = open.values().iterator();
      eldest.next().close();
      eldest.remove();
    }
    FileChannel channel = FileChannel.open(files.apply(file).path(), StandardOpenOption.READ);
    open.put(file, channel);
    return channel;
  }

  /** Lets go of the files; they are opened again when needed. */
  @Override
  public void close() throws IOException {
    for (FileChannel channel : open.values()) {
      channel.close();
    }
    open.clear();
  }
}
