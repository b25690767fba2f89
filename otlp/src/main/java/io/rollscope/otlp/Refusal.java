package io.rollscope.otlp;

/** Why an item is refused, in words for its sender. */
enum Refusal {
  TRACE_ID("trace id: wrong (expected: 16 bytes, not all zero)"),
  SPAN_ID("span id: wrong (expected: 8 bytes, not all zero)"),
  PARENT_ID("parent span id: wrong (expected: 8 bytes, or none)"),
  NO_NAME("name: none (expected: a metric's name)"),
  LONG_NAME("metric's name: too long (expected: at most 1024 bytes)"),
  ODD_ID("run or session: cannot be asked for (expected: no control characters, no /../)"),
  NO_TIME("time: 0 (expected: nanoseconds since 1970)"),
  FUTURE("time: in the future (expected: at most a day ahead of the collector's clock)"),
  NO_INSTANCE("beat without service.instance.id in its resource (expected: the process it is of)"),
  NO_STATUS("verdict without rl.status (expected: what became of the session, or what it earned)"),
  STACK("stack: none or too large (expected: at most 64 frames, one per line, and 8 kB)"),
  OTHER_LOG("log record: not a start, beat or verdict record"),
  BUCKETS("histogram: bucket counts and bounds do not fit (expected: one count more than bounds)"),
  TOO_MANY_BUCKETS("histogram: too many buckets (expected: at most 4096)"),
  TOO_MANY("request: too many items (expected: at most 500000)");

  private final String text;

  Refusal(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }
}
