package io.rollscope.server.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.rollscope.store.metric.Exposition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/** {@code GET /metrics}, in the format that the scraper asks for. */
public final class MetricsPage implements HttpService {
  private static final ExpositionFormats FORMATS = ExpositionFormats.init();

  /** How OpenMetrics ends. */
  private static final String END = "# EOF\n";

  private final PrometheusRegistry registry;
  private final Supplier<Exposition> clients;
  private final Executor workers;

  /**
   * @param clients what clients sent
   * @param workers where numbers are collected, which may have to wait for the store
   */
  public MetricsPage(PrometheusRegistry registry, Supplier<Exposition> clients, Executor workers) {
    this.registry = registry;
    this.clients = clients;
    this.workers = workers;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    if (request.method() != HttpMethod.GET && request.method() != HttpMethod.HEAD) {
      return HttpResponse.of(
          ResponseHeaders.of(HttpStatus.METHOD_NOT_ALLOWED, HttpHeaderNames.ALLOW, "GET, HEAD"));
    }
    try {
      return HttpResponse.of(() -> answer(request), workers);
    } catch (RejectedExecutionException e) {
      return HttpResponse.of(HttpStatus.SERVICE_UNAVAILABLE);
    }
  }

  private HttpResponse answer(HttpRequest request) {
    ExpositionFormatWriter writer =
        FORMATS.findWriter(request.headers().get(HttpHeaderNames.ACCEPT));
    boolean open = writer.getContentType().startsWith("application/openmetrics-text");
    byte[] body = body(writer, open);
    ResponseHeaders headers =
        ResponseHeaders.builder(HttpStatus.OK)
            .contentType(MediaType.parse(writer.getContentType()))
            .contentLength(body.length)
            .build();
    return request.method() == HttpMethod.HEAD
        ? HttpResponse.of(headers)
        : HttpResponse.of(headers, HttpData.wrap(body));
  }

  /** Own metrics, then those of clients. */
  private byte[] body(ExpositionFormatWriter writer, boolean open) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      writer.write(bytes, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String own = bytes.toString(UTF_8);
    boolean ended = own.endsWith(END);
    String rest = new ClientText(open).write(clients.get());
    String all = ended ? own.substring(0, own.length() - END.length()) + rest + END : own + rest;
    return all.getBytes(UTF_8);
  }
}
