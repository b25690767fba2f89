package io.rollscope.sdk.internal;

import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapSetter;
import io.rollscope.sdk.internal.otel.RollscopeTelemetry;
import io.rollscope.sdk.internal.span.Coordinates;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Context between processes: W3C trace context and baggage, in headers or variables. */
public final class Propagation {
  /** Looks keys up as HTTP does, whatever their case. */
  private static final TextMapGetter<Map<String, String>> GETTER =
      new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Map<String, String> carrier) {
          return carrier.keySet();
        }

        @Override
        public String get(Map<String, String> carrier, String key) {
          if (carrier == null) {
            return null;
          }
          String exact = carrier.get(key);
          return exact != null ? exact : find(carrier, key);
        }
      };

  private Propagation() {}

  private static String find(Map<String, String> carrier, String key) {
    for (Map.Entry<String, String> entry : carrier.entrySet()) {
      if (key.equalsIgnoreCase(entry.getKey())) {
        return entry.getValue();
      }
    }
    return null;
  }

  /** Where this process belongs, as its parent said in variables; the root if nowhere. */
  public static Context ambient(Map<String, String> variables) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (String name : new String[] {"TRACEPARENT", "TRACESTATE", "BAGGAGE"}) {
      String value = variables.get(name);
      if (value != null) {
        headers.put(name.toLowerCase(Locale.ROOT), value);
      }
    }
    return headers.isEmpty() ? Context.root() : extract(Context.root(), headers, GETTER);
  }

  public static Context extract(Context onto, Map<String, String> carrier) {
    return extract(onto, carrier, GETTER);
  }

  public static <C> Context extract(Context onto, C carrier, TextMapGetter<C> getter) {
    return RollscopeTelemetry.W3C.getTextMapPropagator().extract(onto, carrier, getter);
  }

  public static <C> void inject(Context from, C carrier, TextMapSetter<C> setter) {
    Baggage baggage = Coordinates.in(from).addTo(Baggage.fromContext(from));
    Context whole = baggage.isEmpty() ? from : from.with(baggage);
    RollscopeTelemetry.W3C.getTextMapPropagator().inject(whole, carrier, setter);
  }
}
