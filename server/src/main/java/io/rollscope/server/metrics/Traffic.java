package io.rollscope.server.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.rollscope.otlp.Signal;
import io.rollscope.otlp.record.Request;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Counts what receivers take and refuse. Label values are bounded. */
public final class Traffic {
  /** How a request came in. */
  public enum Transport {
    HTTP,
    GRPC
  }

  private static final int MAX_REASONS = 50;
  private static final String OTHER = "other";

  private final Counter requests;
  private final Counter rejected;
  private final Counter reduced;
  private final Set<String> reasons = ConcurrentHashMap.newKeySet();

  public Traffic(PrometheusRegistry registry) {
    requests =
        Counter.builder()
            .name("rollscope_requests")
            .help("OTLP requests answered, by signal, transport and HTTP or gRPC status.")
            .labelNames("signal", "transport", "status")
            .register(registry);
    rejected =
        Counter.builder()
            .name("rollscope_rejected_items")
            .help("Items refused while decoding, by reason.")
            .labelNames("signal", "reason")
            .register(registry);
    reduced =
        Counter.builder()
            .name("rollscope_cut_attributes")
            .help("Attributes of items received that were left out or cut.")
            .labelNames("signal", "how")
            .register(registry);
  }

  /** A request was answered. */
  public void answered(Signal signal, Transport transport, String status) {
    requests.labelValues(word(signal), word(transport), status).inc();
  }

  /** What could not be taken of a request. */
  public void rejected(Signal signal, Request request) {
    request
        .rejected()
        .forEach((reason, count) -> rejected.labelValues(word(signal), bounded(reason)).inc(count));
    if (!request.reduction().isNone()) {
      reduced.labelValues(word(signal), "left_out").inc(request.reduction().leftOut());
      reduced.labelValues(word(signal), "cut").inc(request.reduction().cut());
    }
  }

  private String bounded(String reason) {
    if (reasons.size() < MAX_REASONS) {
      reasons.add(reason);
    }
    return reasons.contains(reason) ? reason : OTHER;
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
