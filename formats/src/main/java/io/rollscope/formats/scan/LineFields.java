package io.rollscope.formats.scan;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a line says, flat: {@code rollout_stats.running → 56}. For showing, not for reading much.
 */
public final class LineFields {
  private static final int MAX_FIELDS = 1_000;

  private final JsonScanner scanner = new JsonScanner();
  private final Map<String, String> fields = new LinkedHashMap<>();

  private LineFields() {}

  /** Texts, numbers and truth values of an object; lists and nulls are left out. */
  public static Map<String, String> of(String line) {
    LineFields flat = new LineFields();
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    flat.scanner.open(bytes, 0, bytes.length);
    try {
      flat.object("");
    } catch (BadLineException e) {
      // Only as much as can be read: the line itself is shown beside this.
    }
    return flat.fields;
  }

  private void object(String prefix) throws BadLineException {
    scanner.beginObject();
    while (scanner.nextKey()) {
      String name = prefix + scanner.key();
      char c = scanner.peek();
      if (c == '{') {
        object(name + ".");
      } else if (c == 't' || c == 'f') {
        put(name, String.valueOf(scanner.bool(name)));
      } else if (c == '[' || c == 'n') {
        scanner.skip();
      } else {
        put(name, scanner.scalar(name));
      }
    }
  }

  private void put(String name, String value) {
    if (fields.size() < MAX_FIELDS) {
      fields.put(name, value);
    }
  }
}
