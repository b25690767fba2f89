package io.rollscope.formats.otlp;

import io.rollscope.core.table.ProcessSign;

/**
 * A sign of life of a process.
 *
 * @param run id of the run
 * @param end whether it says goodbye
 */
record OtlpSign(ProcessSign process, String run, boolean end, long timeNs) {

  /** The newest holds; a goodbye comes after a beat of the same time. */
  OtlpSign or(OtlpSign other) {
    if (timeNs != other.timeNs) {
      return timeNs > other.timeNs ? this : other;
    }
    return end ? this : other;
  }
}
