package io.rollscope.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clusters are described by CIDR, in both families. */
class NetworkTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.1.2, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "10.1.2.3, 10.1.2.3, true",
    "10.1.2.3, 10.1.2.4, false",
    "10.1.2.200/25, 10.1.2.128, true",
    "10.1.2.200/25, 10.1.2.127, false",
    "0.0.0.0/0, 203.0.113.9, true",
    "0.0.0.0/0, fd00::1, false",
    "fd00::/8, fdff::1, true",
    "fd00::/8, fe00::1, false",
    "::/0, 10.0.0.1, false",
    "::ffff:10.0.0.0/104, 10.9.9.9, true",
    "10.0.0.0/8, ::ffff:10.9.9.9, true"
  })
  void networkContains(String network, String address, boolean contained)
      throws UnknownHostException {
    assertThat(Network.parse(network).contains(InetAddress.getByName(address)))
        .isEqualTo(contained);
  }

  /** Dual-stack sockets report IPv4 clients in this form. */
  @Test
  void mappedAddressIsAnIpv4Address() throws UnknownHostException {
    byte[] mapped = new byte[16];
    mapped[10] = (byte) 0xFF;
    mapped[11] = (byte) 0xFF;
    mapped[12] = 10;
    InetAddress client = java.net.Inet6Address.getByAddress(null, mapped, -1);

    assertThat(client.getAddress()).hasSize(16);
    assertThat(Network.parse("10.0.0.0/8").contains(client)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "cluster",
        "10.0.0/8",
        "10.0.0.256",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "fd00::/129",
        "10.0.0.0/",
        "::ffff:10.0.0.0/8",
        "1:2",
        "10.0.0.0/8/8"
      })
  void otherTextIsRefused(String text) {
    assertThatThrownBy(() -> Network.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("trust: " + text + " (expected: ");
  }
}
