package io.rollscope.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Small runs in the formats of XTuner and AReaL, in folders of their own. */
final class Traces {
  private Traces() {}

  /** Three finished sessions, one with an error, and one that has been open for long. */
  static Path xtuner(Path parent, String run) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int n = 0; n < 3; n++) {
      lines.add(event("gsm8k:" + n, "xtuner.judger.judge.start", n, "generating", null));
      lines.add(
          n == 2
              ? event(
                  "gsm8k:" + n,
                  "xtuner.judger.judge.error",
                  n + 4,
                  "failed",
                  "ValueError: bad answer")
              : event("gsm8k:" + n, "xtuner.judger.judge.end", n + 4, "completed", null));
    }
    lines.add(event("gsm8k:3", "xtuner.rollout_engine.generate.start", 1, "generating", null));
    return write(parent, run, "producer_trace_1_0001_000000.jsonl", lines);
  }

  /** One event; {@code second} counts from the start of the run. */
  static String event(String trace, String stage, int second, String status, String error) {
    return String.format(
        Locale.ROOT,
        "{\"trace_id\":\"%s\",\"stage\":\"%s\",\"timestamp_s\":%d.25,\"status\":\"%s\",\"task_name\":\"gsm8k\","
            + "\"uid\":1,\"session_uid\":1,\"train_step\":1,\"model_step\":0,\"producer_future_step\":2,"
            + "\"produce_batch_id\":\"train_step=1\",\"worker_rank\":5,\"elapsed_s\":null,\"error_msg\":%s}",
        trace,
        stage,
        1781000000 + second,
        status,
        error == null ? "null" : '"' + error + '"');
  }

  /** Four sessions of two tasks on two ranks, and the trainer's wait for them. */
  static Path areal(Path parent, String run) throws IOException {
    List<String> rows = new ArrayList<>();
    for (int n = 0; n < 4; n++) {
      rows.add(
          String.format(
              Locale.ROOT,
              "{\"task_id\": %d, \"session_id\": %d, \"rank\": %d, \"status\": \"%s\"%s, \"submit_ts\": %d.0,"
                  + " \"finalized_ts\": %d.0, \"phases\": {\"generate\": [{\"start_ts\": %d.5, \"end_ts\": %d.5}]},"
                  + " \"counters\": {\"turns\": 2}}",
              n / 2,
              n,
              n % 2,
              n == 3 ? "rejected" : "accepted",
              n == 3 ? ", \"reason\": \"returned_none\"" : "",
              1763600400 + n,
              1763600408 + n,
              1763600400 + n,
              1763600404 + n));
    }
    return write(parent, run, "sessions-r0.jsonl", rows);
  }

  static Path write(Path parent, String run, String file, List<String> lines) throws IOException {
    Path folder = Files.createDirectories(parent.resolve(run));
    Files.write(folder.resolve(file), lines);
    return folder;
  }
}
