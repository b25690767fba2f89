package io.rollscope.server.scrape.book;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A Prometheus that shares our targets. */
public final class PrometheusServer {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Prometheus looks at what its files say every five seconds at most. */
  private static final Duration CONVERGENCE = Duration.ofSeconds(15);

  private static final long PAUSE_NS = 200_000_000;

  private final URI url;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

  /**
   * @param url its address, without a slash at the end
   */
  public PrometheusServer(URI url) {
    this.url = url;
  }

  public int port() {
    return url.getPort() > 0 ? url.getPort() : url.getScheme().equals("https") ? 443 : 80;
  }

  /** Asks it to read its configuration and files again. */
  public void reload() throws IOException {
    HttpResponse<String> answer =
        send(request("/-/reload").POST(HttpRequest.BodyPublishers.noBody()));
    if (answer.statusCode() != 200) {
      throw new IOException(
          url
              + "/-/reload answers "
              + answer.statusCode()
              + " (expected: 200; Prometheus needs --web.enable-lifecycle)");
    }
  }

  /** Waits a while until it has, or no longer has, targets of an experiment. */
  public boolean converges(ExperimentId experiment, boolean present) {
    long end = System.nanoTime() + CONVERGENCE.toNanos();
    do {
      try {
        if (has(experiment) == present) {
          return true;
        }
      } catch (IOException e) {
        return false;
      }
      LockSupport.parkNanos(PAUSE_NS);
    } while (System.nanoTime() < end && !Thread.currentThread().isInterrupted());
    return false;
  }

  private boolean has(ExperimentId experiment) throws IOException {
    HttpResponse<String> answer = send(request("/api/v1/targets?state=active").GET());
    for (JsonNode target : JSON.readTree(answer.body()).path("data").path("activeTargets")) {
      JsonNode labels = target.path("labels");
      if (labels.path("project").asText().equals(experiment.project())
          && labels.path("experiment_name").asText().equals(experiment.experimentName())) {
        return true;
      }
    }
    return false;
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path)).timeout(PATIENCE);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(url + ": interrupted", e);
    }
  }
}
