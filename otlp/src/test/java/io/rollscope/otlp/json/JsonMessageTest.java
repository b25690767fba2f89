package io.rollscope.otlp.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.rollscope.otlp.json.JsonField.Form;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The messages as they are written down are those of OpenTelemetry's .proto files. */
class JsonMessageTest {
  private final Set<Descriptor> compared = new HashSet<>();

  @Test
  void theMessagesAreThoseOfTheSpecification() {
    compare(JsonMessage.of("TraceRequest", true), ExportTraceServiceRequest.getDescriptor());
    compare(JsonMessage.of("LogsRequest", true), ExportLogsServiceRequest.getDescriptor());
    compare(JsonMessage.of("MetricsRequest", true), ExportMetricsServiceRequest.getDescriptor());
    assertThat(compared).hasSizeGreaterThan(30);
  }

  private void compare(JsonMessage message, Descriptor with) {
    if (!compared.add(with)) {
      return;
    }
    for (FieldDescriptor field : with.getFields()) {
      JsonField described = message.field(field.getJsonName());
      assertThat(described).as(field.getFullName()).isNotNull();
      assertThat(message.field(field.getName())).isEqualTo(described);
      assertThat(described.number()).isEqualTo(field.getNumber());
      assertThat(described.isRepeated()).isEqualTo(field.isRepeated());
      assertThat(described.form()).as(field.getFullName()).isEqualTo(form(field));
      if (described.form() == Form.MESSAGE) {
        compare(described.message(), field.getMessageType());
      } else if (described.form() == Form.ENUM) {
        field
            .getEnumType()
            .getValues()
            .forEach(v -> assertThat(described.enumNumber(v.getName())).isEqualTo(v.getNumber()));
      }
    }
  }

  private static Form form(FieldDescriptor field) {
    return switch (field.getType()) {
      case STRING -> Form.STRING;
      case BYTES -> field.getName().endsWith("_id") ? Form.HEX : Form.BASE64;
      case BOOL -> Form.BOOL;
      case ENUM -> Form.ENUM;
      case DOUBLE -> Form.DOUBLE;
      case FIXED32 -> Form.FIXED32;
      case FIXED64, SFIXED64 -> Form.FIXED64;
      case INT32, INT64, UINT32, UINT64 -> Form.VARINT;
      case SINT32 -> Form.ZIGZAG;
      case MESSAGE -> Form.MESSAGE;
      default -> throw new IllegalArgumentException(field.getFullName());
    };
  }
}
