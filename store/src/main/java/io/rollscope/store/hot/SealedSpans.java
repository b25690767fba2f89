package io.rollscope.store.hot;

/** What segments of the last hour hold, so that nothing is stored twice. */
public interface SealedSpans {
  /** Whether any span of this trace may be there. False is certain, true is not. */
  boolean mayHoldTrace(long traceHigh, long traceLow);

  /** Whether this span is there. */
  boolean holds(long traceHigh, long traceLow, long spanId);

  /** Nothing is sealed. */
  SealedSpans NONE =
      new SealedSpans() {
        @Override
        public boolean mayHoldTrace(long traceHigh, long traceLow) {
          return false;
        }

        @Override
        public boolean holds(long traceHigh, long traceLow, long spanId) {
          return false;
        }
      };
}
