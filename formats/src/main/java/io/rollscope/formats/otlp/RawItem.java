package io.rollscope.formats.otlp;

import io.rollscope.formats.scan.BadLineException;
import java.util.HashMap;
import java.util.Map;

/** A span or a log record as written, before it is understood. */
final class RawItem {
  static final int STATUS_ERROR = 2;

  String traceId = "";
  String spanId = "";
  String parentId = "";

  /** Of the span, or of the event that a log record is. */
  String name;

  /** When the span began, or the record was made. */
  long start;

  long end;
  int statusCode;
  String statusMessage;

  /** Why it cannot be used, although its JSON is well formed; or null. */
  BadLineException wrong;

  final Map<String, String> attributes = new HashMap<>();
  final Map<String, String> exception = new HashMap<>();

  boolean failed() {
    return statusCode == STATUS_ERROR || "true".equals(attributes.get("error"));
  }
}
