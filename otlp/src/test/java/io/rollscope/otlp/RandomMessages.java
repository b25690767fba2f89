package io.rollscope.otlp;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.util.List;
import java.util.Random;

/** Requests with anything in any field; most of their items could be real. */
final class RandomMessages {
  private static final String[] TEXTS = {
    "",
    "a",
    "rollout",
    "Zürich 漢字 🎲",
    "\"quoted\"\\\n\u0000",
    "7",
    "-3",
    "2.5",
    "cancelled",
    "rollscope.span.start",
    "rollscope.beat",
    "rollscope.session.final",
    "exception",
    "eee19b7ec3c1b174"
  };
  private static final String[] EVENTS = {
    LogReader.START, LogReader.VERDICT, LogReader.BEAT, LogReader.PROCESS_END
  };

  /** What log records cannot be used without. */
  private static final Key[] OFTEN = {Key.INSTANCE, Key.STATUS, Key.SPAN_NAME};

  private static final double[] DOUBLES = {
    0, -0.0, 1, -2.5, 1e300, 1e-300, 1e9, Double.NaN, Double.POSITIVE_INFINITY
  };

  private final Random random;

  RandomMessages(long seed) {
    random = new Random(seed);
  }

  Message request(Signal signal) {
    return message(
        switch (signal) {
          case TRACES -> ExportTraceServiceRequest.newBuilder();
          case LOGS -> ExportLogsServiceRequest.newBuilder();
          case METRICS -> ExportMetricsServiceRequest.newBuilder();
        },
        0);
  }

  private Message message(Message.Builder builder, int depth) {
    int any = random.nextBoolean() ? 1 : 1 + random.nextInt(7);
    boolean anyValue = builder.getDescriptorForType().getName().equals("AnyValue");
    boolean keyValue = builder.getDescriptorForType().getName().equals("KeyValue");
    for (FieldDescriptor field : builder.getDescriptorForType().getFields()) {
      boolean strings = field.getName().endsWith("strindex");
      boolean deep = depth > 9 && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
      if (anyValue) {
        if (field.getNumber() == any && !deep) {
          builder.setField(field, value(builder, field, depth));
        }
        continue;
      }
      if (strings || deep || (random.nextInt(4) == 0 && depth > 3 && !keyValue)) {
        continue;
      }
      if (field.isRepeated()) {
        int most = field.getName().equals("attributes") ? 8 : 4;
        for (int n = random.nextInt(most); n > 0; n--) {
          builder.addRepeatedField(field, value(builder, field, depth));
        }
      } else if (field.getContainingOneof() == null || random.nextInt(3) == 0) {
        builder.setField(field, value(builder, field, depth));
      }
    }
    return builder.build();
  }

  private Object value(Message.Builder in, FieldDescriptor field, int depth) {
    return switch (field.getJavaType()) {
      case MESSAGE -> message(in.newBuilderForField(field), depth + 1);
      case STRING -> string(field);
      case BYTE_STRING -> bytes(field);
      case BOOLEAN -> random.nextBoolean();
      case DOUBLE ->
          random.nextBoolean() ? DOUBLES[random.nextInt(DOUBLES.length)] : random.nextGaussian();
      case INT -> random.nextInt(4) == 0 ? random.nextInt() : (Integer) random.nextInt(100);
      case LONG -> number(field);
      case ENUM -> {
        List<EnumValueDescriptor> values = field.getEnumType().getValues();
        yield values.get(random.nextInt(values.size()));
      }
      default -> throw new AssertionError(field);
    };
  }

  private String string(FieldDescriptor field) {
    if (field.getName().equals("key") && random.nextInt(4) > 0) {
      Key[] keys = random.nextBoolean() ? Key.values() : OFTEN;
      return keys[random.nextInt(keys.length)].text();
    }
    if (field.getName().equals("event_name") && random.nextInt(4) > 0) {
      return EVENTS[random.nextInt(EVENTS.length)];
    }
    if (field.getName().equals("name") && random.nextInt(10) > 0) {
      return random.nextBoolean() ? "generate" : "exception";
    }
    return random.nextInt(100) == 0
        ? "x".repeat(random.nextInt(3_000))
        : TEXTS[random.nextInt(TEXTS.length)];
  }

  private ByteString bytes(FieldDescriptor field) {
    int length = field.getName().equals("trace_id") ? 16 : 8;
    byte[] bytes = new byte[random.nextInt(20) == 0 ? random.nextInt(20) : length];
    if (random.nextInt(20) > 0) {
      random.nextBytes(bytes);
    }
    return ByteString.copyFrom(bytes);
  }

  private long number(FieldDescriptor field) {
    if (field.getName().endsWith("unix_nano")) {
      return switch (random.nextInt(10)) {
        case 0 -> 0;
        case 1 -> random.nextLong();
        default -> Otlp.NOW - random.nextInt();
      };
    }
    return random.nextBoolean() ? random.nextInt(1_000) : random.nextLong();
  }
}
