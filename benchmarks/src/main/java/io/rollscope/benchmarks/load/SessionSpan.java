package io.rollscope.benchmarks.load;

/** The nine spans of every session: two turns with a tool call between them, then the reward. */
enum SessionSpan {
  SESSION("session", null, "rollout", 0, 1024),
  GENERATE("generate", SESSION, "rollout", 20, 400),
  ENGINE("engine.generate", GENERATE, "engine", 30, 390),
  TOOLCALL("toolcall", SESSION, "rollout", 410, 520),
  SANDBOX("sandbox.execute", TOOLCALL, "sandbox", 420, 500),
  GENERATE_AGAIN("generate", SESSION, "rollout", 530, 800),
  ENGINE_AGAIN("engine.generate", GENERATE_AGAIN, "engine", 540, 790),
  REWARD("reward", SESSION, "rollout", 810, 980),
  JUDGER("judger.judge", REWARD, "judge", 830, 960);

  static final int COUNT = 9;
  private static final SessionSpan[] ALL = values();

  private final String text;
  private final SessionSpan parent;
  private final String role;
  private final int from;
  private final int to;

  SessionSpan(String text, SessionSpan parent, String role, int from, int to) {
    this.text = text;
    this.parent = parent;
    this.role = role;
    this.from = from;
    this.to = to;
  }

  static SessionSpan of(int index) {
    return ALL[index];
  }

  /** Its name on the wire. */
  String text() {
    return text;
  }

  SessionSpan parent() {
    return parent;
  }

  String role() {
    return role;
  }

  /** When it begins, in 1/1024 of the session. */
  int from() {
    return from;
  }

  int to() {
    return to;
  }
}
