package io.rollscope.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Browsers come and go. */
class LoginsTest {
  private final AtomicLong now = new AtomicLong(1_700_000_000_000_000_000L);
  private final Logins logins = new Logins(now::get);

  @Test
  void loginLastsAWeekBeyondItsLastUse() {
    String value = logins.begin();
    now.addAndGet(Duration.ofDays(6).toNanos());
    assertThat(logins.knows(value)).isTrue();
    now.addAndGet(Duration.ofDays(6).toNanos());
    assertThat(logins.knows(value)).isTrue();
    now.addAndGet(Duration.ofDays(8).toNanos());
    assertThat(logins.knows(value)).isFalse();
  }

  @Test
  void ofTooManyTheOneUsedLongestAgoGoes() {
    String first = logins.begin();
    String second = logins.begin();
    for (int i = 0; i < 998; i++) {
      logins.begin();
    }
    assertThat(logins.knows(first)).isTrue();

    logins.begin();

    assertThat(logins.knows(first)).isTrue();
    assertThat(logins.knows(second)).isFalse();
  }
}
