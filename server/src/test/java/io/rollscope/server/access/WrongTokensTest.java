package io.rollscope.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Somebody tries all words of a dictionary. */
class WrongTokensTest {
  private final AtomicLong now = new AtomicLong(1_700_000_000_000_000_000L);
  private final WrongTokens wrong = new WrongTokens(now::get);

  private static InetAddress address(String literal) throws Exception {
    return InetAddress.getByName(literal);
  }

  private void guess(InetAddress client, int times) {
    for (int i = 0; i < times; i++) {
      wrong.isHeld(client);
    }
  }

  @Test
  void firstMistakesAreAnsweredAtOnceAndLaterOnesAreHeld() throws Exception {
    InetAddress client = address("10.0.0.1");
    guess(client, WrongTokens.FREE);
    assertThat(wrong.isHeld(client)).isTrue();
    assertThat(wrong.mayTry(client)).isTrue();
    assertThat(wrong.isHeld(address("10.0.0.2"))).isFalse();
  }

  @Test
  void whileManyAreHeldNoTokenOfThatAddressIsLookedAt() throws Exception {
    InetAddress client = address("10.0.0.1");
    guess(client, WrongTokens.FREE + WrongTokens.MOST_HELD);

    assertThat(wrong.mayTry(client)).isFalse();
    assertThat(wrong.mayTry(address("10.0.0.2"))).isTrue();

    wrong.release(client);
    assertThat(wrong.mayTry(client)).isTrue();
  }

  @Test
  void mistakesAreForgottenAfterAWhile() throws Exception {
    InetAddress client = address("10.0.0.1");
    guess(client, WrongTokens.FREE);
    now.addAndGet(Duration.ofMinutes(2).toNanos());
    assertThat(wrong.isHeld(client)).isFalse();
  }

  /** A machine has as many IPv6 addresses as it likes. */
  @Test
  void addressesOfOneNetworkCountTogether() throws Exception {
    for (int i = 0; i < WrongTokens.FREE; i++) {
      wrong.isHeld(address("2001:db8::" + i));
    }
    assertThat(wrong.isHeld(address("2001:db8::ffff"))).isTrue();
    assertThat(wrong.isHeld(address("2001:db8:0:1::1"))).isFalse();
  }
}
