package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a session is worth, and what its calls cost. */
class RewardTest {
  private final Quick quick = new Quick();

  private static Map<String, Object> facts(List<KeyValue> attributes) {
    return attributes.stream()
        .filter(a -> a.getKey().matches("rl\\.(reward|status|reason)|gen_ai\\.usage\\..*"))
        .collect(
            Collectors.toMap(
                KeyValue::getKey,
                a ->
                    a.getValue().hasIntValue()
                        ? (Object) a.getValue().getIntValue()
                        : a.getValue().hasDoubleValue()
                            ? (Object) a.getValue().getDoubleValue()
                            : a.getValue().getStringValue()));
  }

  @Test
  void rewardAndTokensAreOnTheSpans() {
    try (Rollscope rs = quick.builder().quiet(true).build();
        Session session = rs.session("s")) {
      rs.phase("generate").tokens(412, 88).close();
      session.reward(0.5).tokens(500, 100).reward(0.75).accepted();
    }

    Map<String, Map<String, Object>> spans =
        quick.transport.spans().stream()
            .collect(Collectors.toMap(Span::getName, s -> facts(s.getAttributesList())));
    assertThat(spans.get("generate"))
        .isEqualTo(Map.of("gen_ai.usage.input_tokens", 412L, "gen_ai.usage.output_tokens", 88L));
    assertThat(spans.get("session"))
        .isEqualTo(
            Map.of(
                "rl.status",
                "accepted",
                "rl.reward",
                0.75,
                "gen_ai.usage.input_tokens",
                500L,
                "gen_ai.usage.output_tokens",
                100L));
    assertThat(quick.warnings).isEmpty();
  }

  /** A judge scores when the session is long over. */
  @Test
  void whatComesLaterIsARecordOfItsOwn() {
    try (Rollscope rs = quick.builder().quiet(true).build()) {
      Session session = rs.session("s");
      session.close();
      session.reward(0.25).tokens(3, 4).rejected("too short");
      assertThat(rs.flush(Quick.PATIENCE)).isTrue();
    }

    List<LogRecord> records = quick.transport.logs("rollscope.session.final");
    assertThat(records.stream().map(r -> facts(r.getAttributesList())))
        .containsExactly(
            Map.of("rl.reward", 0.25),
            Map.of("gen_ai.usage.input_tokens", 3L, "gen_ai.usage.output_tokens", 4L),
            Map.of("rl.status", "rejected", "rl.reason", "too short"));
    assertThat(records.get(0).getSpanId()).isEqualTo(quick.transport.spans().get(0).getSpanId());
    assertThat(quick.warnings).isEmpty();
  }

  @Test
  void whatIsNoRewardIsSaidOnceAndNotSent() {
    try (Rollscope rs = quick.builder().quiet(true).build();
        Session session = rs.session("s")) {
      session.reward(Double.NaN).reward(Double.NaN).reward(Double.POSITIVE_INFINITY);
      session.tokens(-1, 5);
      session.phase("a").tokens(-1, 5).close();
    }

    assertThat(quick.warnings)
        .containsExactly(
            "rollscope: reward: NaN (expected: a finite number)",
            "rollscope: reward: Infinity (expected: a finite number)",
            "rollscope: tokens: -1, 5 (expected: 0 or more)");
    assertThat(quick.transport.spans())
        .hasSize(2)
        .allSatisfy(s -> assertThat(facts(s.getAttributesList())).isEmpty());
  }
}
