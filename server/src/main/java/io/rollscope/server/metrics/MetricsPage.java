package io.rollscope.server.metrics;

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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** {@code GET /metrics}, in the format that the scraper asks for. */
public final class MetricsPage implements HttpService {
  private static final ExpositionFormats FORMATS = ExpositionFormats.init();

  private final PrometheusRegistry registry;
  private final Executor workers;

  /**
   * @param workers where numbers are collected, which may have to wait for the store
   */
  public MetricsPage(PrometheusRegistry registry, Executor workers) {
    this.registry = registry;
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
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      writer.write(bytes, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ResponseHeaders headers =
        ResponseHeaders.builder(HttpStatus.OK)
            .contentType(MediaType.parse(writer.getContentType()))
            .contentLength(bytes.size())
            .build();
    return request.method() == HttpMethod.HEAD
        ? HttpResponse.of(headers)
        : HttpResponse.of(headers, HttpData.wrap(bytes.toByteArray()));
  }
}
