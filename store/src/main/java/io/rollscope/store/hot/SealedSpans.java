package io.rollscope.store.hot;

import io.rollscope.otlp.record.Verdict;

/** What segments of the last hour hold, so that nothing is stored twice. */
public interface SealedSpans {
  /** Whether any span of this trace may be there. False is certain, true is not. */
  boolean mayHoldTrace(long traceHigh, long traceLow);

  /** Whether any span of this session may be there. */
  boolean mayHold(SessionKey session);

  /** Whether this span is there. */
  boolean holds(long traceHigh, long traceLow, long spanId);

  /** Whether a session with this verdict is there. */
  boolean holds(Verdict verdict);

  /** Nothing is sealed. */
  SealedSpans NONE =
      new SealedSpans() {
        @Override
        public boolean mayHoldTrace(long traceHigh, long traceLow) {
          return false;
        }

        @Override
        public boolean mayHold(SessionKey session) {
          return false;
        }

        @Override
        public boolean holds(long traceHigh, long traceLow, long spanId) {
          return false;
        }

        @Override
        public boolean holds(Verdict verdict) {
          return false;
        }
      };
}
