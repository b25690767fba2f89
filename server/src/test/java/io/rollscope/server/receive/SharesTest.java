package io.rollscope.server.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

/** A client takes all it can get; then others come. */
class SharesTest {
  private final Shares shares = new Shares(1_000);

  private static InetAddress client(String address) throws Exception {
    return Shares.client(InetAddress.getByName(address));
  }

  private int takeAll(InetAddress client) {
    int taken = 0;
    while (shares.take(client, 1)) {
      taken++;
    }
    return taken;
  }

  @Test
  void oneAloneHasThreeQuarters() throws Exception {
    assertThat(takeAll(client("10.0.0.1"))).isEqualTo(750);
    assertThat(Shares.ofOne(1_000)).isEqualTo(750);
  }

  @Test
  void nobodyComesTooLate() throws Exception {
    for (int i = 1; i <= 5; i++) {
      assertThat(takeAll(client("10.0.0." + i))).as("client %d", i).isPositive();
    }
    assertThat(shares.held()).isLessThan(1_000);
  }

  @Test
  void whatIsGivenBackCanBeTakenAgain() throws Exception {
    assertThat(shares.take(client("10.0.0.1"), 700)).isTrue();
    assertThat(shares.take(client("10.0.0.1"), 700)).isFalse();
    shares.give(client("10.0.0.1"), 700);

    assertThat(shares.held()).isZero();
    assertThat(shares.take(client("10.0.0.1"), 700)).isTrue();
  }

  /** Every host has 2^64 addresses there. */
  @Test
  void aNetworkOfIpv6IsOneClient() throws Exception {
    assertThat(client("2001:db8::1:2:3:4")).isEqualTo(client("2001:db8::9:9:9:9"));
    assertThat(client("2001:db8:1::1")).isNotEqualTo(client("2001:db8:2::1"));
    assertThat(client("10.0.0.1")).isNotEqualTo(client("10.0.0.2"));
  }
}
