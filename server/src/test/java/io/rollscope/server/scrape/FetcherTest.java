package io.rollscope.server.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.server.scrape.book.AddressRule;
import io.rollscope.server.scrape.book.OwnPorts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Targets that do not behave. */
class FetcherTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Room room = new Room(80 << 20);
  private final Fetcher fetcher =
      new Fetcher(new AddressRule(false), new OwnPorts(), InetAddress::getAllByName);
  private HttpTarget target;

  @BeforeEach
  void open() throws IOException {
    target = new HttpTarget();
  }

  @AfterEach
  void close() {
    target.close();
    fetcher.close();
  }

  private Fetcher.Fetched fetch(String url) throws FetchException {
    return fetch(url, PATIENCE);
  }

  private Fetcher.Fetched fetch(String url, Duration timeout) throws FetchException {
    try (Room.Claim claim = room.claim()) {
      return fetcher.fetch(URI.create(url), timeout, claim);
    }
  }

  private String url() {
    return "http://" + target.address() + "/metrics";
  }

  @Test
  void formatIsWhatTheHeaderSays() throws Exception {
    target.exposes("x 1");
    assertThat(fetch(url()).openMetrics()).isFalse();
    target.answers(200, "application/openmetrics-text; version=1.0.0", "x 1\n# EOF\n");
    assertThat(fetch(url()).openMetrics()).isTrue();
    assertThat(new String(fetch(url()).body(), StandardCharsets.UTF_8)).isEqualTo("x 1\n# EOF\n");
  }

  @Test
  void compressedAnswersAreUnpacked() throws Exception {
    target.handles(
        exchange -> {
          assertThat(exchange.getRequestHeaders().getFirst("Accept-Encoding")).isEqualTo("gzip");
          exchange.getResponseHeaders().set("Content-Encoding", "gzip");
          HttpTarget.answer(
              exchange, 200, "text/plain", gzip("x 1\n".getBytes(StandardCharsets.UTF_8)));
        });

    assertThat(new String(fetch(url()).body(), StandardCharsets.UTF_8)).isEqualTo("x 1\n");
  }

  /** A hundred megabytes of zeros are a hundred kilobytes on the wire. */
  @Test
  void bombsAreNotUnpacked() {
    target.handles(
        exchange -> {
          exchange.getResponseHeaders().set("Content-Encoding", "gzip");
          HttpTarget.answer(exchange, 200, "text/plain", gzip(new byte[100 << 20]));
        });

    assertThatThrownBy(() -> fetch(url()))
        .hasMessage("body: more than 33554432 bytes (expected: at most that)");
  }

  @Test
  void bodiesWithoutEndAreCutOff() {
    target.handles(
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          byte[] part = new byte[1 << 20];
          for (int i = 0; i < 40; i++) {
            exchange.getResponseBody().write(part);
          }
          exchange.close();
        });

    assertThatThrownBy(() -> fetch(url()))
        .hasMessage("body: more than 33554432 bytes (expected: at most that)");
  }

  @Test
  void allAnswersTogetherAreBounded() {
    target.answers(200, "text/plain", "x 1\n".repeat(1_000));
    Room small = new Room(1_000);

    try (Room.Claim claim = small.claim()) {
      assertThatThrownBy(() -> fetcher.fetch(URI.create(url()), PATIENCE, claim))
          .hasMessageStartingWith("memory: answers of targets take more than 1000 bytes");
    }
    try (Room.Claim again = small.claim()) {
      again.take(1_000);
    }
  }

  @Test
  void targetThatDoesNotAnswerInTimeIsGivenUp() {
    CountDownLatch end = new CountDownLatch(1);
    target.handles(
        exchange -> {
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });

    assertThatThrownBy(() -> fetch(url(), Duration.ofMillis(300)))
        .hasMessage("answer: none within 0.3 s (expected: one in time)");
    end.countDown();
  }

  @Test
  void whatIsNoExpositionIsNamed() {
    target.answers(404, "text/plain", "");
    assertThatThrownBy(() -> fetch(url())).hasMessage("status: 404 (expected: 200)");
    target.answers(200, "text/html", "<html>");
    assertThatThrownBy(() -> fetch(url()))
        .hasMessage("content type: text/html (expected: text/plain or OpenMetrics)");
  }

  @Test
  void nobodyThereIsNamed() {
    int port = target.port();
    target.close();

    assertThatThrownBy(() -> fetch("http://127.0.0.1:" + port + "/metrics"))
        .hasMessage("connection: refused (expected: a target that listens)");
    assertThatThrownBy(() -> fetch("http://no-such-host.invalid:1/metrics"))
        .hasMessage("host: no-such-host.invalid is unknown (expected: a name that DNS knows)");
  }

  @Test
  void redirectsStayOnTheHost() throws Exception {
    target.handles(
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          if (path.equals("/metrics")) {
            exchange.getResponseHeaders().set("Location", "/metrics/");
            HttpTarget.answer(exchange, 307, "text/plain", new byte[0]);
          } else {
            HttpTarget.answer(
                exchange, 200, "text/plain", "x 1\n".getBytes(StandardCharsets.UTF_8));
          }
        });
    assertThat(fetch(url()).body()).hasSize(4);

    for (String elsewhere :
        new String[] {
          "http://169.254.169.254/latest", "http://localhost:1/", "file:///etc/passwd"
        }) {
      target.handles(
          exchange -> {
            exchange.getResponseHeaders().set("Location", elsewhere);
            HttpTarget.answer(exchange, 302, "text/plain", new byte[0]);
          });
      assertThatThrownBy(() -> fetch(url()))
          .hasMessage("redirect: " + elsewhere + " (expected: to the same host, by http or https)");
    }
  }

  @Test
  void circlesOfRedirectsEnd() {
    target.handles(
        exchange -> {
          exchange.getResponseHeaders().set("Location", "/metrics");
          HttpTarget.answer(exchange, 302, "text/plain", new byte[0]);
        });

    assertThatThrownBy(() -> fetch(url()))
        .hasMessage("redirects: more than 3 (expected: an answer)");
    assertThat(target.asked()).isEqualTo(4);
  }

  @Test
  void linkLocalAddressesAreNotAsked() {
    assertThatThrownBy(() -> fetch("http://169.254.169.254/latest/meta-data"))
        .hasMessageStartingWith("address: 169.254.169.254 is link-local (expected: ");
  }

  /** A name that its owner lets point to where it should not; asked twice, it could change. */
  @Test
  void addressIsLookedUpOnceAndCheckedAfterThat() throws Exception {
    target.handles(
        exchange -> {
          String host = exchange.getRequestHeaders().getFirst("Host");
          HttpTarget.answer(exchange, 200, "text/plain", host.getBytes(StandardCharsets.UTF_8));
        });
    InetAddress[] answers = {InetAddress.getLoopbackAddress()};
    AtomicInteger asked = new AtomicInteger();
    Fetcher.Names names =
        host -> {
          asked.incrementAndGet();
          return answers;
        };
    String url = "http://gpu1.example:" + target.port() + "/metrics";
    try (Fetcher other = new Fetcher(new AddressRule(false), new OwnPorts(), names);
        Room.Claim claim = room.claim()) {
      Fetcher.Fetched fetched = other.fetch(URI.create(url), PATIENCE, claim);
      assertThat(new String(fetched.body(), StandardCharsets.UTF_8))
          .isEqualTo("gpu1.example:" + target.port());
      assertThat(asked).hasValue(1);

      answers[0] = InetAddress.getByName("169.254.169.254");
      assertThatThrownBy(() -> other.fetch(URI.create(url), PATIENCE, claim))
          .hasMessageStartingWith("address: 169.254.169.254 is link-local");
    }
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(plain);
    }
    return out.toByteArray();
  }
}
