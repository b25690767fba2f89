package io.rollscope.server.scrape.book;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses that somebody who may register a target would like this machine to ask. */
class AddressRuleTest {
  private static String refusal(String literal, boolean allowed) throws Exception {
    return new AddressRule(allowed).refusal(InetAddress.getByName(literal));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "169.254.169.254",
        "169.254.0.1",
        "::ffff:169.254.169.254",
        "::169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1:a9fe:a9:fe00::",
        "64:ff9b:1:a9:fe:a9fe::",
        "64:ff9b:1:0:a9:fea9:fe00::",
        "64:ff9b:1::a9fe:a9fe",
        "2002:a9fe:a9fe::1",
        "fe80::1",
        "fd00:ec2::254",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192"
      })
  void linkLocalAndMetadataAreScrapedOnlyIfAllowed(String literal) throws Exception {
    assertThat(refusal(literal, false)).contains("--allow-link-local");
    assertThat(refusal(literal, true)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "::1",
        "10.1.2.3",
        "192.168.0.9",
        "fd12::1",
        "2001:db8::1",
        "64:ff9b:1::a01:203"
      })
  void addressesOfMachinesAreScraped(String literal) throws Exception {
    assertThat(refusal(literal, false)).isNull();
  }

  @Test
  void multicastIsNoTarget() throws Exception {
    assertThat(refusal("224.0.0.1", true)).isNotNull();
    assertThat(refusal("ff02::1", true)).isNotNull();
  }
}
