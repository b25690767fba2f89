package io.rollscope.formats.xtuner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** A producer trace written line by line, with the short names the acceptance list uses. */
final class TraceLines {
  private final Path file;
  private String batch = "";

  TraceLines(Path folder) {
    this.file = folder.resolve("producer_trace_4242_0001_000000.jsonl");
  }

  Path file() {
    return file;
  }

  /** The following events belong to {@code train_step=N/model_step=0/producer_future_step=0}. */
  TraceLines batch(int step) {
    return batch(
        "\"train_step\":%1$d,\"model_step\":0,\"producer_future_step\":0,".formatted(step)
            + "\"produce_batch_id\":\"train_step=%d/model_step=0/producer_future_step=0\""
                .formatted(step));
  }

  /** The following events have these keys as well. */
  TraceLines batch(String keys) {
    batch = keys.isEmpty() ? "" : "," + keys;
    return this;
  }

  TraceLines start(String trace, String span, double time) {
    return event(trace, span + ".start", time, "");
  }

  TraceLines end(String trace, String span, double time) {
    return event(trace, span + ".end", time, "");
  }

  TraceLines end(String trace, String span, double time, double elapsed) {
    return event(trace, span + ".end", time, ",\"elapsed_s\":" + elapsed);
  }

  TraceLines error(String trace, String span, double time, String message) {
    return event(trace, span + ".error", time, ",\"error_msg\":\"" + message + "\"");
  }

  /** Start and end. */
  TraceLines span(String trace, String span, double from, double to) {
    return start(trace, span, from).end(trace, span, to);
  }

  TraceLines event(String trace, String stage, double time, String more) {
    return line(
        String.format(
            Locale.ROOT,
            "{\"trace_id\":\"%s\",\"stage\":\"%s\",\"timestamp_s\":%s%s%s}",
            trace,
            stage,
            time,
            batch,
            more));
  }

  TraceLines line(String text) {
    return raw(text + "\n");
  }

  /** Exactly these characters. */
  TraceLines raw(String text) {
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }
}
