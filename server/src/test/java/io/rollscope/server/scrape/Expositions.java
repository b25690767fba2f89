package io.rollscope.server.scrape;

import io.rollscope.server.scrape.text.ExpositionException;
import io.rollscope.server.scrape.text.ExpositionParser;
import io.rollscope.server.scrape.text.Family;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Expositions that the real prometheus_client wrote; see make.py beside them. */
public final class Expositions {
  public static final List<String> FILES =
      List.of(
          "vllm.txt",
          "vllm.openmetrics",
          "sglang.txt",
          "sglang.openmetrics",
          "hub.txt",
          "hub.openmetrics");

  private Expositions() {}

  public static byte[] bytes(String file) throws IOException {
    try (InputStream in = Expositions.class.getResourceAsStream("/expositions/" + file)) {
      return in.readAllBytes();
    }
  }

  public static List<Family> families(String file) throws IOException, ExpositionException {
    return ExpositionParser.parse(bytes(file), file.endsWith(".openmetrics"), 100_000);
  }

  public static List<Family> text(String... lines) throws ExpositionException {
    return parse(false, lines);
  }

  public static List<Family> parse(boolean openMetrics, String... lines)
      throws ExpositionException {
    byte[] text = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    return ExpositionParser.parse(text, openMetrics, 100);
  }
}
