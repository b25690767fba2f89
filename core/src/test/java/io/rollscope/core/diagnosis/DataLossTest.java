package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A queue that is full, a server that cannot be reached. */
class DataLossTest {
  private static OpenRun run(long dropped) {
    OpenRun run = new OpenRun();
    for (int i = 0; i < 100; i++) {
      run.session("s" + i, "t" + i, 1).call("generate", "agent:0", i, i + 1);
    }
    return run.sign("agent:0", "first", "h", 110, false, dropped);
  }

  @Test
  void theProcessThatDroppedIsNamed() {
    OpenRun run = run(25);

    assertThat(run.found()).containsExactly("open data_loss/agent:0/1");
    assertThat(run.first().sentence())
        .isEqualTo("agent:0 dropped 25 records (20 % of what it had). Its numbers are too low.");
  }

  @Test
  void oneOfAHundredChangesNothing() {
    assertThat(run(1).found()).isEmpty();
  }
}
