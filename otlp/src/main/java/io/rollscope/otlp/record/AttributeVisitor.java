package io.rollscope.otlp.record;

/**
 * Sees attributes as text in UTF-8, without a String being made. Plain strings are shown where they
 * lie in the request, other values in a buffer; so all arrays are valid, and to be left alone,
 * during the call only.
 */
@FunctionalInterface
public interface AttributeVisitor {
  /** Both ranges hold well-formed UTF-8. */
  void attribute(byte[] key, int keyFrom, int keyTo, byte[] value, int valueFrom, int valueTo);
}
