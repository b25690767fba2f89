package io.rollscope.otlp;

import io.rollscope.otlp.wire.ProtoCursor;

/** The five kinds of data points, and where their messages differ. */
enum PointKind {
  GAUGE("gauge", 5, 7, 8),
  SUM("sum", 7, 7, 8),
  HISTOGRAM("histogram", 9, 9, 10),
  EXPONENTIAL("exponential_histogram", 10, 1, 10),
  SUMMARY("summary", 11, 7, 8);

  private final String word;
  private final int tag;
  private final int attributes;
  private final int flagsTag;

  PointKind(String word, int field, int attributes, int flags) {
    this.word = word;
    this.tag = ProtoCursor.tagOf(field, ProtoCursor.BYTES);
    this.attributes = attributes;
    this.flagsTag = ProtoCursor.tagOf(flags, ProtoCursor.VARINT);
  }

  String word() {
    return word;
  }

  /** Number of the attributes' field in a point. */
  int attributes() {
    return attributes;
  }

  int flagsTag() {
    return flagsTag;
  }

  boolean isNumber() {
    return this == GAUGE || this == SUM;
  }

  boolean hasTemporality() {
    return this == SUM || this == HISTOGRAM || this == EXPONENTIAL;
  }

  /** The kind whose data are in the field of {@code Metric} with this tag, or null. */
  static PointKind ofField(int tag) {
    return switch (tag >>> 3) {
      case 5 -> tag == GAUGE.tag ? GAUGE : null;
      case 7 -> tag == SUM.tag ? SUM : null;
      case 9 -> tag == HISTOGRAM.tag ? HISTOGRAM : null;
      case 10 -> tag == EXPONENTIAL.tag ? EXPONENTIAL : null;
      case 11 -> tag == SUMMARY.tag ? SUMMARY : null;
      default -> null;
    };
  }
}
