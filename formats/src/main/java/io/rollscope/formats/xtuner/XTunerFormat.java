package io.rollscope.formats.xtuner;

import io.rollscope.formats.folder.LineParser;
import io.rollscope.formats.folder.TraceFormat;
import java.util.Map;
import java.util.Set;

/** Recognises producer traces and knows the short names of XTuner's spans. */
public final class XTunerFormat implements TraceFormat {
  private static final String PREFIX = "xtuner.";
  private static final Map<String, String> STAGES =
      Map.of(
          "xtuner.producer.sample_group", "sampler",
          "xtuner.producer.generate_group", "producer.generate",
          "xtuner.producer.put_generated_group", "producer.put",
          "xtuner.agent_loop.generate_group", "agent_loop.generate_group",
          "xtuner.agent_loop.generate_sample", "agent_loop.generate_sample",
          "xtuner.rollout_controller.generate", "rollout.generate",
          "xtuner.rollout_worker.generate", "rollout_worker.generate",
          "xtuner.rollout_engine.generate", "engine.generate",
          "xtuner.judger.judge", "judger");

  /** The short name of a span: XTuner's own where it has one, else without {@code xtuner.}. */
  public static String stageOf(String span) {
    if (span == null || span.isEmpty()) {
      return "unknown";
    }
    String known = STAGES.get(span);
    if (known != null) {
      return known;
    }
    return span.startsWith(PREFIX) ? span.substring(PREFIX.length()) : span;
  }

  @Override
  public String id() {
    return "xtuner";
  }

  @Override
  public String description() {
    return "XTuner producer traces: producer_trace_*.jsonl with trace_id, stage, timestamp_s";
  }

  @Override
  public boolean nameMatches(String fileName) {
    return fileName.startsWith("producer_trace_") && fileName.endsWith(".jsonl");
  }

  @Override
  public boolean keysMatch(Set<String> keys) {
    return keys.contains("trace_id") && keys.contains("stage") && keys.contains("timestamp_s");
  }

  @Override
  public LineParser newParser() {
    return new XTunerParser();
  }
}
