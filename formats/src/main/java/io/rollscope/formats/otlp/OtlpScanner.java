package io.rollscope.formats.otlp;

import io.rollscope.core.time.Nanos;
import io.rollscope.formats.scan.BadLineException;
import io.rollscope.formats.scan.JsonScanner;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Reads what spans and log records are made of. */
final class OtlpScanner {
  /** Reads one element of a list. */
  interface Reading {
    void read() throws BadLineException;
  }

  final JsonScanner json = new JsonScanner();

  /** The elements of a list; none for null. */
  void list(String field, Reading element) throws BadLineException {
    if (json.nullValue()) {
      return;
    }
    json.beginArray(field);
    while (json.nextElement()) {
      element.read();
    }
  }

  /**
   * Reads the items of a resource, which may stand behind them.
   *
   * @param scopes what the list of scopes is called
   * @param items what the list of items of a scope is called
   * @return the resource's attributes
   */
  Map<String, String> resource(String field, Set<String> scopes, Set<String> items, Reading item)
      throws BadLineException {
    Map<String, String> resource = new HashMap<>();
    json.beginObject(field);
    while (json.nextKey()) {
      String key = json.key();
      if (key.equals("resource")) {
        resourceAttributes(resource);
      } else if (scopes.contains(key)) {
        list(key, () -> scope(key, items, item));
      } else {
        json.skip();
      }
    }
    return resource;
  }

  private void resourceAttributes(Map<String, String> into) throws BadLineException {
    if (json.nullValue()) {
      return;
    }
    json.beginObject("resource");
    while (json.nextKey()) {
      if (json.key().equals("attributes")) {
        attributes(into);
      } else {
        json.skip();
      }
    }
  }

  private void scope(String field, Set<String> items, Reading item) throws BadLineException {
    json.beginObject(field);
    while (json.nextKey()) {
      String key = json.key();
      if (items.contains(key)) {
        list(key, item);
      } else {
        json.skip();
      }
    }
  }

  /** Nanoseconds since 1970; what is none is only this item's fault. */
  long nanos(String key, RawItem item) throws BadLineException {
    String text = json.scalar(key);
    try {
      long value = Long.parseLong(text);
      if (value >= 0 && value <= Nanos.LIMIT) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    item.wrong = BadLineException.expected(key, text, "nanoseconds since 1970");
    return 0;
  }

  void attributes(Map<String, String> into) throws BadLineException {
    list(
        "attributes",
        () -> {
          String name = null;
          String value = null;
          json.beginObject("attributes");
          while (json.nextKey()) {
            String key = json.key();
            if (json.nullValue()) {
              continue;
            }
            switch (key) {
              case "key" -> name = json.string(key);
              case "value" -> value = value();
              default -> json.skip();
            }
          }
          if (name != null && value != null) {
            into.put(name, value);
          }
        });
  }

  /** A scalar attribute as text; lists and maps are left to the raw line. */
  private String value() throws BadLineException {
    String value = null;
    json.beginObject("value");
    while (json.nextKey()) {
      String key = json.key();
      if (json.nullValue()) {
        continue;
      }
      switch (key) {
        case "stringValue", "string_value" -> value = json.string(key);
        case "intValue", "int_value", "doubleValue", "double_value" -> value = json.scalar(key);
        case "boolValue", "bool_value" -> value = String.valueOf(json.bool(key));
        default -> json.skip();
      }
    }
    return value;
  }
}
