package io.rollscope.server.scrape;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.ResponseTimeoutException;
import com.linecorp.armeria.client.ResponseTimeoutMode;
import com.linecorp.armeria.client.UnprocessedRequestException;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.proxy.ProxyConfig;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.util.EventLoopGroups;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.rollscope.server.scrape.book.AddressRule;
import io.rollscope.server.scrape.book.OwnPorts;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.zip.GZIPInputStream;

/**
 * Gets what a target exposes: within a time, up to a size, from an address that was looked up once
 * and is allowed. Blocks; to be used on threads for that.
 */
final class Fetcher implements Closeable {
  private static final int MAX_BODY = 32 << 20;
  private static final int MAX_REDIRECTS = 3;
  private static final int MAX_ADDRESSES = 3;

  /** With utf-8, because prometheus_client 0.26 turns the colons of vLLM's names into _ else. */
  private static final String ACCEPT =
      "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8,"
          + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1";

  private final AddressRule rule;
  private final OwnPorts own;
  private final Names names;
  private final EventLoopGroup network =
      EventLoopGroups.newEventLoopGroup(1, "rollscope-fetch", true);
  private final ClientFactory factory =
      ClientFactory.builder()
          .workerGroup(network, true)
          .proxyConfig(ProxyConfig.direct())
          .idleTimeout(Duration.ofSeconds(65))
          .meterRegistry(new CompositeMeterRegistry())
          .build();

  Fetcher(AddressRule rule, OwnPorts own, Names names) {
    this.rule = rule;
    this.own = own;
    this.names = names;
  }

  /** Who knows addresses; {@code InetAddress::getAllByName} as a rule. */
  @FunctionalInterface
  interface Names {
    InetAddress[] find(String host) throws UnknownHostException;
  }

  /** A body, and whether it is OpenMetrics. */
  record Fetched(byte[] body, boolean openMetrics) {}

  /**
   * Asks a target.
   *
   * @param room for the body
   */
  Fetched fetch(URI url, Duration timeout, Room.Claim room) throws FetchException {
    Patience patience = new Patience(timeout, System.nanoTime() + timeout.toNanos());
    URI at = url;
    for (int redirects = 0; ; redirects++) {
      AggregatedHttpResponse answer = ask(at, patience, room);
      int status = answer.status().code();
      String location = answer.headers().get(HttpHeaderNames.LOCATION);
      if (status == 200) {
        return fetched(answer, room);
      }
      if (!answer.status().isRedirection() || location == null) {
        throw FetchException.of("status", status, "200");
      }
      if (redirects == MAX_REDIRECTS) {
        throw FetchException.of("redirects", "more than " + MAX_REDIRECTS, "an answer");
      }
      at = redirected(at, location);
    }
  }

  private record Patience(Duration timeout, long end) {
    long leftMs() {
      return Math.max(1, (end - System.nanoTime()) / 1_000_000);
    }
  }

  private static URI redirected(URI from, String location) throws FetchException {
    try {
      URI to = from.resolve(location);
      boolean web = "http".equals(to.getScheme()) || "https".equals(to.getScheme());
      if (web && from.getHost().equalsIgnoreCase(to.getHost()) && to.getRawUserInfo() == null) {
        return to;
      }
    } catch (IllegalArgumentException e) {
      // said below
    }
    throw FetchException.of("redirect", shown(location), "to the same host, by http or https");
  }

  private AggregatedHttpResponse ask(URI url, Patience patience, Room.Claim room)
      throws FetchException {
    InetAddress[] addresses = addresses(url);
    FetchException last = null;
    for (int i = 0; i < Math.min(addresses.length, MAX_ADDRESSES); i++) {
      try {
        return ask(url, addresses[i], patience, room);
      } catch (UnprocessedRequestException e) {
        last = failure(e, patience.timeout());
      } catch (RuntimeException e) {
        throw failure(e, patience.timeout());
      }
    }
    throw last;
  }

  private InetAddress[] addresses(URI url) throws FetchException {
    String host = url.getHost();
    String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    InetAddress[] all;
    try {
      all = names.find(name);
    } catch (UnknownHostException e) {
      throw FetchException.of("host", name + " is unknown", "a name that DNS knows");
    }
    for (InetAddress address : all) {
      String refusal = rule.refusal(address);
      if (refusal == null) {
        refusal = own.refusal(address, port(url));
      }
      if (refusal != null) {
        throw new FetchException(refusal);
      }
    }
    return all;
  }

  private AggregatedHttpResponse ask(
      URI url, InetAddress address, Patience patience, Room.Claim room) {
    boolean tls = url.getScheme().equals("https");
    String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
    String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    RequestHeaders request =
        RequestHeaders.builder(HttpMethod.GET, path + query)
            .add(HttpHeaderNames.ACCEPT, ACCEPT)
            .add(HttpHeaderNames.ACCEPT_ENCODING, "gzip")
            .add(HttpHeaderNames.USER_AGENT, "Rollscope")
            .add("X-Prometheus-Scrape-Timeout-Seconds", seconds(patience.timeout()))
            .build();
    try {
      return WebClient.builder(
              tls ? SessionProtocol.H1 : SessionProtocol.H1C,
              Endpoint.of(url.getHost(), port(url)).withInetAddress(address))
          .factory(factory)
          .responseTimeoutMode(ResponseTimeoutMode.FROM_START)
          .responseTimeoutMillis(patience.leftMs())
          .maxResponseLength(MAX_BODY)
          .build()
          .execute(request)
          .peekData(data -> room.take(data.length()))
          // On the thread that reads: with another one Armeria 1.36 can lose the order to read on,
          // and a large answer then hangs until its timeout.
          .aggregate(network.next())
          .join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private static int port(URI url) {
    return url.getPort() > 0 ? url.getPort() : url.getScheme().equals("https") ? 443 : 80;
  }

  private static FetchException failure(Throwable failure, Duration timeout) {
    Throwable cause = failure;
    while (cause.getCause() != null
        && (cause instanceof UnprocessedRequestException || cause instanceof CompletionException)) {
      cause = cause.getCause();
    }
    if (cause instanceof ResponseTimeoutException
        || cause instanceof io.netty.channel.ConnectTimeoutException) {
      return FetchException.of("answer", "none within " + seconds(timeout) + " s", "one in time");
    }
    if (cause instanceof Room.FullException full) {
      return new FetchException(full.getMessage());
    }
    if (cause instanceof ContentTooLargeException) {
      return tooLarge();
    }
    String text = String.valueOf(cause.getMessage());
    return text.contains("refused")
        ? FetchException.of("connection", "refused", "a target that listens")
        : FetchException.of(
            "connection", cause.getClass().getSimpleName() + " " + shown(text), "a whole answer");
  }

  private static FetchException tooLarge() {
    return FetchException.of("body", "more than " + MAX_BODY + " bytes", "at most that");
  }

  private static String seconds(Duration length) {
    return Double.toString(length.toMillis() / 1e3);
  }

  private static Fetched fetched(AggregatedHttpResponse answer, Room.Claim room)
      throws FetchException {
    String type =
        answer.headers().get(HttpHeaderNames.CONTENT_TYPE, "text/plain").toLowerCase(Locale.ROOT);
    if (type.startsWith("text/html") || type.contains("protobuf")) {
      throw FetchException.of("content type", shown(type), "text/plain or OpenMetrics");
    }
    byte[] body = answer.content().array();
    if (answer.headers().get(HttpHeaderNames.CONTENT_ENCODING, "").contains("gzip")) {
      body = unzipped(body, room);
    }
    return new Fetched(body, type.startsWith("application/openmetrics-text"));
  }

  private static byte[] unzipped(byte[] body, Room.Claim room) throws FetchException {
    ByteArrayOutputStream plain = new ByteArrayOutputStream(4 * body.length);
    byte[] part = new byte[64 << 10];
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
      for (int read = in.read(part); read >= 0; read = in.read(part)) {
        room.take(read);
        plain.write(part, 0, read);
        if (plain.size() > MAX_BODY) {
          throw tooLarge();
        }
      }
      return plain.toByteArray();
    } catch (Room.FullException e) {
      throw new FetchException(e.getMessage());
    } catch (IOException e) {
      throw FetchException.of("body", "no gzip: " + e.getMessage(), "what its header says");
    }
  }

  private static String shown(String text) {
    String line = text.replaceAll("\\p{Cntrl}", " ");
    return line.length() > 200 ? line.substring(0, 200) + "…" : line;
  }

  /** Does not wait for the network's thread, which takes its time and does no harm. */
  @Override
  public void close() {
    var unused = factory.closeAsync();
  }
}
