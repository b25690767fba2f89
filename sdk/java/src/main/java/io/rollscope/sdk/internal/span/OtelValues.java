package io.rollscope.sdk.internal.span;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.Value;

/** OpenTelemetry's attributes as ours. */
final class OtelValues {
  private OtelValues() {}

  static Object of(Object value) {
    return value instanceof Value<?> any ? any.asString() : value;
  }

  static AttributeList list(Attributes attributes, Values values) {
    AttributeList own = new AttributeList();
    if (attributes != null) {
      attributes.forEach((key, value) -> own.put(key.getKey(), of(value), values));
    }
    return own;
  }
}
