package io.rollscope.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Browsers come and go, and so do servers. */
class LoginsTest {
  private final AtomicLong now = new AtomicLong(1_700_000_000_000_000_000L);
  private final Logins logins = new Logins("key", "token", now::get);

  @Test
  void loginLastsAWeek() {
    String value = logins.begin();
    now.addAndGet(Duration.ofDays(7).toNanos());
    assertThat(logins.knows(value)).isTrue();
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(logins.knows(value)).isFalse();
  }

  @Test
  void whoComesEveryOtherDayGetsANewOneInTime() {
    String value = logins.begin();
    assertThat(logins.isDue(value)).isFalse();
    now.addAndGet(Duration.ofDays(2).toNanos());
    assertThat(logins.isDue(value)).isTrue();
    now.addAndGet(Duration.ofDays(6).toNanos());
    assertThat(logins.isDue(value)).isFalse();
  }

  @Test
  void loginIsKnownAfterARestartWithTheSameKeyAndToken() {
    String value = logins.begin();

    assertThat(new Logins("key", "token", now::get).knows(value)).isTrue();
    assertThat(new Logins("another", "token", now::get).knows(value)).isFalse();
    assertThat(new Logins("key", "another", now::get).knows(value)).isFalse();
  }

  @Test
  void changedCookieIsNone() {
    String value = logins.begin();
    for (int i = 0; i < value.length(); i++) {
      char other = value.charAt(i) == 'A' ? 'B' : 'A';
      String changed = value.substring(0, i) + other + value.substring(i + 1);
      assertThat(logins.knows(changed)).as(changed).isFalse();
    }
    assertThat(logins.knows("")).isFalse();
    assertThat(logins.knows("9".repeat(100) + "..")).isFalse();
  }

  /** The clock of the machine was set back. */
  @Test
  void cookieOfTheFutureIsNone() {
    String value = logins.begin();
    now.addAndGet(-Duration.ofDays(1).toNanos());
    assertThat(logins.knows(value)).isFalse();
  }
}
