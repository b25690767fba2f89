package io.rollscope.server.scrape.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.otlp.BadRequestException;
import io.rollscope.otlp.RequestDecoder;
import io.rollscope.otlp.Signal;
import io.rollscope.server.scrape.Expositions;
import io.rollscope.server.scrape.points.Remarks;
import io.rollscope.server.scrape.points.TargetSeries;
import io.rollscope.store.Incoming;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Expositions changed at random: refused with a line, or turned into a request that decodes. */
class ExpositionFuzzTest {
  private static final long NOW = 1_794_725_900_000_000_000L;

  @Property(tries = 3_000)
  void changedExpositionIsRefusedOrBecomesARequest(@ForAll Random random)
      throws IOException, BadRequestException {
    String file = Expositions.FILES.get(random.nextInt(Expositions.FILES.size()));
    byte[] text = changed(Expositions.bytes(file), random);
    List<Family> families;
    try {
      families = ExpositionParser.parse(text, file.endsWith("openmetrics"), 10_000);
    } catch (ExpositionException e) {
      assertThat(e.getMessage()).startsWith("line ").contains("(expected: ");
      return;
    }
    TargetSeries series = new TargetSeries("job", "h:1", Labels.of(Map.of("engine", "9")));
    byte[] request = series.up(new TargetSeries.Scrape("run", NOW, 0.1), families, new Remarks());

    assertThat(RequestDecoder.decode(Signal.METRICS, request, Incoming.HEAD, NOW).points())
        .hasSizeGreaterThanOrEqualTo(3);
  }

  private static byte[] changed(byte[] bytes, Random random) {
    byte[] changed = bytes.clone();
    for (int n = 1 + random.nextInt(4); n > 0 && changed.length > 0; n--) {
      int at = random.nextInt(changed.length);
      switch (random.nextInt(4)) {
        case 0 -> changed[at] = (byte) random.nextInt();
        case 1 -> changed[at] = (byte) "{}\",=\\\n# 0".charAt(random.nextInt(10));
        case 2 -> changed = Arrays.copyOf(changed, at);
        default -> {
          int from = random.nextInt(at + 1);
          int length = Math.min(at - from, changed.length - at);
          System.arraycopy(changed.clone(), from, changed, at, length);
        }
      }
    }
    return changed;
  }
}
