package io.rollscope.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.time.Nanos;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueueTimeTest {
  @Test
  void secondsAreReadAsText() {
    assertThat(QueueTime.ofText("0.0421")).isEqualTo(42_100_000);
    assertThat(QueueTime.ofText("1.2e1")).isEqualTo(12_000_000_000L);
    assertThat(QueueTime.ofText("-0")).isZero();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "-1e-12", "NaN", "1e999", "1e300", "0x10", "3 s"})
  void whatIsNoTimeSaysNothing(String text) {
    assertThat(QueueTime.ofText(text)).isEqualTo(Nanos.UNKNOWN);
  }
}
