package io.rollscope.formats.folder;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.Locale;

/** The sorts of trace files, each with lines that are good and a way to spoil them. */
enum Sort {
  XTUNER("xtuner", "producer_trace_4711_0001_000000.jsonl") {
    @Override
    String good(int n) {
      return String.format(
          Locale.ROOT,
          "{\"trace_id\":\"数学:%d\",\"stage\":\"xtuner.judger.judge.start\",\"timestamp_s\":%d.5,"
              + "\"status\":\"init\",\"task_name\":\"gsm8k\",\"uid\":%d,\"session_uid\":%d,"
              + "\"train_step\":1,\"model_step\":0,\"producer_future_step\":2,"
              + "\"produce_batch_id\":\"train_step=1\",\"worker_rank\":5,\"elapsed_s\":0.25,"
              + "\"error_msg\":\"no\"}",
          n,
          1781000000 + n,
          n,
          n);
    }

    @Override
    int kept(RunData run) {
      return run.table().rows();
    }
  },

  OTLP("otlp", "traces.jsonl") {
    @Override
    String good(int n) {
      return String.format(
          Locale.ROOT,
          "{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":\"run.id\",\"value\":"
              + "{\"stringValue\":\"run1\"}}]},\"scopeSpans\":[{\"scope\":{\"name\":\"x\"},\"spans\":[{"
              + "\"traceId\":\"%032x\",\"spanId\":\"%016x\",\"parentSpanId\":\"\",\"name\":\"数学\","
              + "\"startTimeUnixNano\":\"178100%04d000000000\",\"endTimeUnixNano\":\"178100%04d500000000\","
              + "\"attributes\":[{\"key\":\"rl.train_step\",\"value\":{\"intValue\":\"1\"}}],"
              + "\"events\":[{\"name\":\"exception\",\"attributes\":[]}],"
              + "\"status\":{\"code\":2,\"message\":\"no\"}}]}]}]}",
          n + 1,
          n + 1,
          n,
          n);
    }

    @Override
    int kept(RunData run) {
      return run.table().rows();
    }
  },

  AREAL_SESSIONS("areal-sessions", "sessions-r0.jsonl") {
    @Override
    String good(int n) {
      return String.format(
          Locale.ROOT,
          "{\"task_id\":%d,\"session_id\":%d,\"rank\":0,\"role\":\"数学\",\"status\":\"accepted\","
              + "\"reason\":\"none\",\"submit_ts\":%d.5,\"finalized_ts\":%d.5,\"total_s\":8,"
              + "\"phases\":{\"generate\":[{\"start_ts\":%d.5,\"end_ts\":%d.5}]},"
              + "\"counters\":{\"turns\":2}}",
          n / 4,
          n,
          1763600400 + n,
          1763600408 + n,
          1763600400 + n,
          1763600404 + n);
    }

    @Override
    int kept(RunData run) {
      return run.table().sessionCount();
    }
  },

  AREAL_PERF("areal-perf", "traces-r0.jsonl") {
    @Override
    String good(int n) {
      return String.format(
          Locale.ROOT,
          "{\"name\":\"数学\",\"ph\":\"X\",\"ts\":%d,\"dur\":7,\"pid\":4101,\"tid\":4107,"
              + "\"cat\":\"compute\",\"args\":{\"global_step\":0,\"task_id\":3,\"exception\":\"KeyError\","
              + "\"rank\":0,\"role\":\"actor\"}}",
          1500 + n);
    }

    @Override
    int kept(RunData run) {
      return run.table().rows();
    }
  };

  private static final String HOLE = "@hole@";
  private static final ObjectMapper EXACT =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  final String format;
  final String fileName;

  Sort(String format, String fileName) {
    this.format = format;
    this.fileName = fileName;
  }

  /** The n-th good line, as the recorder writes it; it holds characters of several bytes. */
  abstract String good(int n);

  /** How many good lines have come through. */
  abstract int kept(RunData run);

  /** How many good lines have come through, over all runs. */
  final int kept(ReadTraces read) {
    Runs runs = read.reader().runs();
    return runs.ids().stream().mapToInt(id -> kept(runs.run(id))).sum();
  }

  /** The n-th line with this JSON text in the place of a value. */
  final String with(int n, String pointer, String json) {
    try {
      JsonNode root = EXACT.readTree(good(n));
      JsonPointer path = JsonPointer.compile(pointer);
      JsonNode parent = root.at(path.head());
      if (parent instanceof ArrayNode list) {
        list.set(path.last().getMatchingIndex(), HOLE);
      } else {
        ((ObjectNode) parent).put(path.last().getMatchingProperty(), HOLE);
      }
      return root.toString().replace('"' + HOLE + '"', json);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The n-th line without this key. */
  final String without(int n, String pointer) {
    try {
      JsonNode root = EXACT.readTree(good(n));
      JsonPointer path = JsonPointer.compile(pointer);
      ((ObjectNode) root.at(path.head())).remove(path.last().getMatchingProperty());
      return root.toString();
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
