package io.rollscope.formats.chrome;

import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;

/** From when to when something is known of a session; both {@link Nanos#UNKNOWN} if nothing is. */
record SessionExtent(long first, long last) {

  static SessionExtent of(SessionSpans spans) {
    SpanTable table = spans.table();
    long submitted = table.submitted(spans.session());
    long finalised = table.finalised(spans.session());
    long first = spans.earliestTime();
    if (first == Nanos.UNKNOWN || (submitted != Nanos.UNKNOWN && submitted < first)) {
      first = submitted == Nanos.UNKNOWN ? finalised : submitted;
    }
    // Unknown is less than any time.
    long last = Math.max(first, Math.max(spans.latestTime(), finalised));
    return new SessionExtent(first, last);
  }
}
