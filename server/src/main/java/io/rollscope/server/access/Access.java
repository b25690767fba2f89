package io.rollscope.server.access;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The rules of contracts.md 8.1 to 8.3.
 *
 * <p>Who shows the token, or the cookie it was traded for, may do everything. Where none is needed,
 * and for those who are let in without one, the name under which the server is called is checked.
 */
public final class Access {
  /** Kinds of requests, by what they may do. */
  enum Zone {
    /** The page's own files, probes, the login: nothing that tells of data. */
    OPEN,
    /** What senders and scrapers use, who may not be able to show a token. */
    SENDING,
    /** Everything else. */
    GUARDED
  }

  /** Answers to “may it?”. */
  enum Verdict {
    YES,
    TOKEN_NEEDED,
    WRONG_HOST
  }

  private final Hosts hosts;
  private final boolean loopback;
  private final Optional<Secret> token;
  private final List<Network> trusted;
  private final Logins logins;
  private final WrongTokens wrongTokens;

  /**
   * @param host as the operator wrote it
   * @param bound the address it stands for
   * @param token what clients must show, or null
   * @param loginKey what cookies are signed with; null without a token
   * @param clock nanoseconds since the epoch
   */
  public Access(
      String host,
      InetAddress bound,
      String token,
      String loginKey,
      List<Network> trusted,
      LongSupplier clock) {
    this.hosts = Hosts.of(host, bound);
    this.loopback = bound.isLoopbackAddress();
    this.token = Optional.ofNullable(token).map(Secret::new);
    this.trusted = List.copyOf(trusted);
    this.logins = token == null ? null : new Logins(loginKey, token, clock);
    this.wrongTokens = new WrongTokens(clock);
  }

  /** SQL and deletion: only where strangers cannot come. */
  public boolean allowsPower() {
    return loopback || token.isPresent();
  }

  /** A cookie for a token, if it is the right one. */
  Optional<String> login(String candidate) {
    return token.filter(t -> t.is(candidate)).map(t -> logins.begin());
  }

  /** A new cookie for one that will end soon. */
  Optional<String> renewed(String cookie) {
    return token.isPresent() && logins.isDue(cookie)
        ? Optional.of(logins.begin())
        : Optional.empty();
  }

  WrongTokens wrongTokens() {
    return wrongTokens;
  }

  boolean needsToken() {
    return token.isPresent();
  }

  /**
   * @param authority what the client calls the server, or null if that does not matter, because no
   *     browser can have sent it
   * @param bearer token it shows, or null
   * @param cookie it shows, or null
   */
  Verdict judge(Zone zone, InetAddress client, Host authority, String bearer, String cookie) {
    if (token.isPresent()) {
      if (zone == Zone.OPEN || token.get().is(bearer) || (cookie != null && logins.knows(cookie))) {
        return Verdict.YES;
      }
      if (zone != Zone.SENDING || trusted.stream().noneMatch(n -> n.contains(client))) {
        return Verdict.TOKEN_NEEDED;
      }
    }
    return authority.isChecked() && !hosts.isOurs(authority.name())
        ? Verdict.WRONG_HOST
        : Verdict.YES;
  }

  /**
   * What a client calls the server.
   *
   * @param name null when it did not say
   * @param isChecked false where no browser can have sent the request
   */
  record Host(String name, boolean isChecked) {}
}
