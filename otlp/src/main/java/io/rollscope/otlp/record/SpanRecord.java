package io.rollscope.otlp.record;

import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.time.Nanos;

/**
 * A span as one request tells it: whole, or only that it began ({@code endNs} is {@link
 * Nanos#OPEN}).
 *
 * @param parentId 0 for a root
 * @param outcome {@link Outcome#OPEN} exactly when it has not ended
 * @param errorType null unless it ended in error or was cancelled
 * @param attributes its own; the resource's are in {@code origin}
 */
public record SpanRecord(
    long traceHigh,
    long traceLow,
    long spanId,
    long parentId,
    String name,
    Kind kind,
    long startNs,
    long endNs,
    Outcome outcome,
    String errorType,
    String errorMessage,
    Said said,
    Origin origin,
    Attributes attributes) {

  public boolean isOpen() {
    return endNs == Nanos.OPEN;
  }
}
