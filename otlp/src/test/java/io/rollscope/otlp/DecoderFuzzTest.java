package io.rollscope.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AddLifecycleHook;

/** Requests, changed at random: each is refused with a place, or read and usable to the end. */
@Tag("fuzz")
class DecoderFuzzTest {

  @Property(tries = Integer.MAX_VALUE, edgeCases = EdgeCasesMode.NONE)
  @AddLifecycleHook(TimeBox.class)
  void changedProtobufIsRefusedOrUsable(@ForAll Signal signal, @ForAll long seed) {
    Message message = new RandomMessages(seed).request(signal);

    MalformedRequestTest.decodeAndUse(signal, changed(message.toByteArray(), new Random(seed)));
  }

  @Property(tries = Integer.MAX_VALUE, edgeCases = EdgeCasesMode.NONE)
  @AddLifecycleHook(TimeBox.class)
  void changedJsonIsRefusedOrUsable(@ForAll Signal signal, @ForAll long seed) throws IOException {
    String name =
        switch (signal) {
          case TRACES -> "trace.json";
          case LOGS -> "logs.json";
          case METRICS -> "metrics.json";
        };
    byte[] json;
    try (InputStream in = getClass().getResourceAsStream("/otlp-examples/" + name)) {
      json = new String(in.readAllBytes(), UTF_8).replaceAll("\\s+", "").getBytes(UTF_8);
    }
    try {
      byte[] protobuf = JsonRequests.toProtobuf(signal, changed(json, new Random(seed)));
      assertThat(MalformedRequestTest.decodeAndUse(signal, protobuf)).isTrue();
    } catch (BadRequestException e) {
      assertThat(e.getMessage()).contains("(expected: ");
    }
  }

  private static byte[] changed(byte[] bytes, Random random) {
    byte[] changed = bytes;
    for (int n = 1 + random.nextInt(5); n > 0 && changed.length > 0; n--) {
      int at = random.nextInt(changed.length);
      int to = Math.min(changed.length, at + random.nextInt(40));
      switch (random.nextInt(5)) {
        case 0 -> changed[at] = (byte) random.nextInt();
        case 1 -> changed[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> changed = Arrays.copyOf(changed, at);
        case 3 -> {
          byte[] shorter = Arrays.copyOf(changed, changed.length - (to - at));
          System.arraycopy(changed, to, shorter, at, changed.length - to);
          changed = shorter;
        }
        default -> {
          byte[] longer = Arrays.copyOf(changed, changed.length + (to - at));
          System.arraycopy(changed, at, longer, to, changed.length - at);
          changed = longer;
        }
      }
    }
    return changed;
  }
}
