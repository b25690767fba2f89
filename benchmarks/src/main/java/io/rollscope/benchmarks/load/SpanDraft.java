package io.rollscope.benchmarks.load;

import java.util.SplittableRandom;

/**
 * What stays the same of an encoded span.
 *
 * @param status the session's verdict, on its first span, or null
 */
record SpanDraft(
    SessionSpan span, String task, String model, int rank, int url, boolean failed, String status) {

  private static final String[] TASKS = {
    "gsm8k", "math", "code", "search", "browse", "sql", "dialog", "puzzle"
  };
  private static final String[] MODELS = {"policy", "reference", "judge"};
  private static final int URLS = 64;

  /** Where the attributes of a span are written to. */
  interface Attributes {
    void text(String key, String value);

    void number(String key, long value);

    /** One that is written over before each send. */
    void changing(String key, Slot slot);
  }

  /**
   * Draws what is left to chance.
   *
   * @param before the span before it in the session, or null
   * @param varied whether some spans fail and sessions have verdicts
   */
  static SpanDraft draw(
      SessionSpan span, SpanDraft before, boolean varied, SplittableRandom random) {
    return new SpanDraft(
        span,
        before == null ? TASKS[random.nextInt(TASKS.length)] : before.task,
        MODELS[random.nextInt(MODELS.length)],
        random.nextInt(8),
        random.nextInt(URLS),
        varied && random.nextInt(100) < 3,
        varied && span == SessionSpan.SESSION ? status(random.nextInt(100)) : null);
  }

  private static String status(int percent) {
    if (percent < 70) {
      return "accepted";
    }
    return percent < 90 ? "rejected" : percent < 95 ? "dropped" : "failed";
  }

  /** Ten: five of at most eight values, two counts, a float, one of 64 URLs, a random id. */
  void describe(Attributes out) {
    out.changing("rl.train_step", Slot.STEP);
    if (span == SessionSpan.SESSION) {
      out.text("rl.kind", "session");
    } else {
      out.text("rl.worker.role", span.role());
    }
    out.number("rl.worker.rank", rank);
    out.text("rl.task.name", task);
    out.text("gen_ai.request.model", model);
    out.changing("gen_ai.usage.input_tokens", Slot.INPUT_TOKENS);
    out.changing("gen_ai.usage.output_tokens", Slot.OUTPUT_TOKENS);
    out.changing("gen_ai.latency.time_to_first_token", Slot.FIRST_TOKEN);
    out.text("url.full", "http://10.20.0." + (url + 100) + ":8000/generate");
    out.changing("gen_ai.request.id", Slot.REQUEST);
    if (status != null) {
      out.text("rl.status", status);
    }
  }
}
