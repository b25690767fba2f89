package io.rollscope.otlp;

import io.rollscope.otlp.wire.MalformedException;
import io.rollscope.otlp.wire.ProtoCursor;

/** Reads {@code Metric} messages. */
final class MetricReader implements ItemReader {
  MetricReader(Reading reading) {}

  @Override
  public void read(ProtoCursor c, Resource resource) throws MalformedException {}
}
