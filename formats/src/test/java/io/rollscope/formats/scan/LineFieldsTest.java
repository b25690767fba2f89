package io.rollscope.formats.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;

class LineFieldsTest {

  /** AReaL's older rows say how full the queues were when a session was submitted. */
  @Test
  void nestedObjectsBecomeFlatAndNumbersStayAsWritten() {
    assertThat(
            LineFields.of(
                "{\"uid\": 170141183460469231731687303715884105728, \"ok\": true, \"none\": null,"
                    + " \"rollout_stats\": {\"running\": 56}, \"phases\": [1]}"))
        .containsExactly(
            entry("uid", "170141183460469231731687303715884105728"),
            entry("ok", "true"),
            entry("rollout_stats.running", "56"));
  }

  /** The file was cut while its session is looked at. */
  @Test
  void aTornLineGivesWhatCanBeRead() {
    assertThat(LineFields.of("{\"a\": 1, \"b\": \"x")).containsExactly(entry("a", "1"));
    assertThat(LineFields.of("garbage")).isEmpty();
  }
}
