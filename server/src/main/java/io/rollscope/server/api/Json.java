package io.rollscope.server.api;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;

/**
 * Records as JSON, in the form in which the command line prints them: snake_case keys, nulls kept,
 * numbers without exponent, and null for what is no number.
 */
final class Json {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .addModule(
              new SimpleModule()
                  .addSerializer(Double.class, new PlainDouble())
                  .addSerializer(double.class, new PlainDouble())
                  .addSerializer(double[].class, new PlainDoubles()))
          .build();

  private Json() {}

  static byte[] bytes(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  static JsonNode read(String text) throws JsonProcessingException {
    return MAPPER.readTree(text);
  }

  private static final class PlainDouble extends StdSerializer<Double> {
    private static final long serialVersionUID = 1L;

    PlainDouble() {
      super(Double.class);
    }

    @Override
    public void serialize(Double value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      write(value, json);
    }
  }

  private static final class PlainDoubles extends StdSerializer<double[]> {
    private static final long serialVersionUID = 1L;

    PlainDoubles() {
      super(double[].class);
    }

    @Override
    public void serialize(double[] values, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeStartArray();
      for (double value : values) {
        write(value, json);
      }
      json.writeEndArray();
    }
  }

  private static void write(double value, JsonGenerator json) throws IOException {
    if (!Double.isFinite(value)) {
      json.writeNull();
      return;
    }
    String text = Double.toString(value);
    json.writeNumber(text.indexOf('E') < 0 ? text : new BigDecimal(text).toPlainString());
  }
}
