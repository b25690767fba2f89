package io.rollscope.formats.otlp;

/**
 * A sign of life of a process.
 *
 * @param end whether it says goodbye
 */
record OtlpSign(String instance, boolean end, long timeNs) {

  /** The newest holds; a goodbye comes after a beat of the same time. */
  OtlpSign or(OtlpSign other) {
    if (timeNs != other.timeNs) {
      return timeNs > other.timeNs ? this : other;
    }
    return end ? this : other;
  }
}
