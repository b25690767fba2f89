package io.rollscope.core.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One metric, two names (contracts.md 2.18). */
class MetricNamesTest {
  @ParameterizedTest
  @CsvSource({
    "train_step, true, ns_train_step",
    "train_step_total, true, ns_train_step",
    "ns_train_step_total, true, ns_train_step",
    "train_step_total, false, ns_train_step_total",
    "actor/pg-loss, false, ns_actor_pg_loss",
    "vllm:tokens, false, ns_vllm:tokens",
    "größe (cm), false, ns_gr__e__cm_",
    "9to5, false, ns_9to5",
    "'', false, ns_",
  })
  void aFamilyIsTheNameBelowTheNamespace(String name, boolean counter, String family) {
    assertThat(MetricNames.family("ns", name, counter)).isEqualTo(family);
  }

  @Test
  void aHubsMetricIsListedAsItsClientCalledIt() {
    assertThat(
            MetricNames.listed(
                Map.of(
                    "rl_insight_monitor_train_step_total", true,
                    "rl_insight_monitor_reward_mean", false,
                    "rl_insight_monitor_tokens_total", false,
                    "vllm:prompt_tokens_total", true,
                    "actor/pg_loss", false)))
        .containsOnly(
            Map.entry("rl_insight_monitor_train_step_total", "train_step"),
            Map.entry("rl_insight_monitor_reward_mean", "reward_mean"),
            Map.entry("rl_insight_monitor_tokens_total", "tokens_total"),
            Map.entry("vllm:prompt_tokens_total", "vllm:prompt_tokens_total"),
            Map.entry("actor/pg_loss", "actor/pg_loss"));
  }

  /** The job moved to Rollscope's client half-way. */
  @Test
  void aHubsMetricIsListedWithThatOfTheClient() {
    assertThat(
            MetricNames.listed(
                Map.of(
                    "rl_insight_monitor_val_core_x_mean_1", false,
                    "val-core/x/mean@1", false,
                    "rl_insight_monitor_steps_total", true,
                    "steps_total", true,
                    "rl_insight_monitor_a_b", false,
                    "a/b", false,
                    "a.b", false)))
        .containsEntry("rl_insight_monitor_val_core_x_mean_1", "val-core/x/mean@1")
        .containsEntry("rl_insight_monitor_steps_total", "steps_total")
        .containsEntry("rl_insight_monitor_a_b", "a.b")
        .containsEntry("a/b", "a/b");
  }

  @Test
  void whicheverNameIsAskedForAllAreFound() {
    assertThat(MetricNames.stored("train_step"))
        .containsExactly(
            "train_step", "rl_insight_monitor_train_step", "rl_insight_monitor_train_step_total");
    assertThat(MetricNames.stored("rl_insight_monitor_train_step_total"))
        .containsExactly("rl_insight_monitor_train_step_total", "train_step_total", "train_step");
    assertThat(MetricNames.stored("val-core/x@1"))
        .contains("val-core/x@1", "rl_insight_monitor_val_core_x_1");
    for (String odd : List.of("", "_total", "rl_insight_monitor_", "rl_insight_monitor__total")) {
      assertThat(MetricNames.stored(odd)).contains(odd).doesNotHaveDuplicates();
    }
  }
}
