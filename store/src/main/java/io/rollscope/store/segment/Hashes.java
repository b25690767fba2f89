package io.rollscope.store.segment;

import io.rollscope.otlp.record.Verdict;
import io.rollscope.store.hot.SessionKey;

/** 64-bit hashes of ids. */
final class Hashes {
  private Hashes() {}

  static long mix(long value) {
    long x = value * 0x9E3779B97F4A7C15L;
    x = (x ^ (x >>> 32)) * 0xD6E8FEB86659FD93L;
    x = (x ^ (x >>> 29)) * 0xBF58476D1CE4E5B9L;
    return x ^ (x >>> 32);
  }

  static long trace(long high, long low) {
    return mix(mix(high) ^ low);
  }

  static long span(long traceHigh, long traceLow, long spanId) {
    return mix(trace(traceHigh, traceLow) + spanId);
  }

  static long verdict(Verdict verdict) {
    return verdict(verdict.traceHigh(), verdict.traceLow(), verdict.spanId(), verdict.timeNs());
  }

  static long verdict(long traceHigh, long traceLow, long spanId, long timeNs) {
    return mix(span(traceHigh, traceLow, spanId) ^ mix(timeNs + 1));
  }

  static long session(SessionKey key) {
    return mix(text(key.run()) * 31 + text(key.id()));
  }

  private static long text(String text) {
    long hash = 0xCBF29CE484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001B3L;
    }
    return mix(hash);
  }
}
