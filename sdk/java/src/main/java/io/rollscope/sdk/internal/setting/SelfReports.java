package io.rollscope.sdk.internal.setting;

import java.util.Map;

/**
 * What the process says of itself without being called.
 *
 * @param hostMetrics whether beats carry its CPU and memory
 * @param stacks whether it says where a span is stuck when the server asks
 */
public record SelfReports(boolean hostMetrics, boolean stacks) {
  static SelfReports of(Choices code, Environment environment) {
    return new SelfReports(
        isOn(code.hostMetrics, environment.flag("ROLLSCOPE_HOST_METRICS")),
        isOn(code.stacks, environment.flag("ROLLSCOPE_STACKS")));
  }

  private static boolean isOn(Boolean code, Boolean variable) {
    Boolean said = code != null ? code : variable;
    return said == null || said;
  }

  /** For child processes: what is off here is off there. */
  public void addTo(Map<String, String> variables) {
    if (!hostMetrics) {
      variables.put("ROLLSCOPE_HOST_METRICS", "0");
    }
    if (!stacks) {
      variables.put("ROLLSCOPE_STACKS", "0");
    }
  }
}
