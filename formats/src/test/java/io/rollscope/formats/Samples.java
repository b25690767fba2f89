package io.rollscope.formats;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import org.assertj.core.data.Offset;

/** Sample traces written by the frameworks' own recorders, and what their own tools say of them. */
public final class Samples {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Samples() {}

  /** A sample's folder, e.g. {@code xtuner/run1}. */
  public static Path folder(String name) {
    URL found = Samples.class.getResource("/samples/" + name);
    if (found == null) {
      throw new IllegalArgumentException("sample: " + name + " (expected: a folder of samples/)");
    }
    try {
      return Path.of(found.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What the original tools returned, e.g. {@code xtuner/run1}, {@code meta.json}. */
  public static JsonNode expected(String sample, String file) throws IOException {
    return JSON.readTree(folder(sample).resolve("expected").resolve(file).toFile());
  }

  /** How close seconds must be to the original's: |a − b| ≤ 1e-6 · max(1, |b|). */
  public static Offset<Double> like(double expected) {
    return Offset.offset(1e-6 * Math.max(1, Math.abs(expected)));
  }
}
