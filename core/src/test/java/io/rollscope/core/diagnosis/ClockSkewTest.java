package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A host without a time service. */
class ClockSkewTest {

  /** Agents on one host call engines on two others; the second's clock is ahead by so much. */
  private static OpenRun run(double ahead) {
    OpenRun run = new OpenRun();
    for (int i = 0; i < 60; i++) {
      double off = i % 2 == 1 ? ahead : .001;
      run.session("s" + i, "t" + i, 1)
          .call("generate", "agent:0", i, i + 1)
          .inside("engine", "engine:" + i % 2, i + .01 + off, i + .99 + off);
    }
    return run.beat("agent:0", "cpu-0", 60)
        .beat("engine:0", "gpu-0", 60)
        .beat("engine:1", "gpu-1", 60);
  }

  @Test
  void theHostAgainstAllOthersIsNamed() {
    OpenRun run = run(.8);

    assertThat(run.found()).containsExactly("open clock_skew/gpu-1/1");
    assertThat(run.first().subject().type()).isEqualTo("host");
    assertThat(run.first().sentence())
        .isEqualTo("The clock of gpu-1 is 0.80 s ahead of the others.");
    assertThat(run.first().cost().wallS()).isNull();
  }

  @Test
  void aClockCanBeBehind() {
    assertThat(run(-45).first().sentence())
        .isEqualTo("The clock of gpu-1 is 45 s behind the others.");
  }

  @Test
  void aTenthOfASecondIsTolerated() {
    assertThat(run(.1).found()).isEmpty();
  }

  @Test
  void withoutHostsNothingCanBeCompared() {
    OpenRun run = new OpenRun();
    run.session("s", "t", 1).call("generate", "agent:0", 0, 1);

    assertThat(run.report().notJudged()).extracting(n -> n.kind()).contains("clock_skew");
  }
}
