package io.rollscope.store.hot;

import io.rollscope.core.model.Status;
import io.rollscope.core.session.SessionSummary;
import io.rollscope.store.LiveQuery;
import java.util.Locale;

/** Which sessions a question lets pass. */
final class RowFilter {
  private final LiveQuery query;
  private final String text;

  RowFilter(LiveQuery query) {
    this.query = query;
    text = query.text() == null ? null : query.text().toLowerCase(Locale.ROOT);
  }

  boolean passes(HotSession session, SessionSummary<HotSpan> facts, Status status, String stage) {
    return is(query.status(), status.word())
        && is(query.stage(), stage)
        && is(query.task(), facts.task())
        && (query.worker() == null || is(query.worker(), worker(facts)))
        && (text == null
            || contains(session.key.id())
            || contains(session.traceId())
            || contains(facts.task())
            || contains(facts.taskName())
            || contains(stage));
  }

  private static String worker(SessionSummary<HotSpan> facts) {
    String here = facts.newestOpen() == null ? null : LiveView.worker(facts.newestOpen());
    return here == null ? facts.worker().label() : here;
  }

  boolean passes(HotRun.Card card) {
    return is(query.status(), card.status().word())
        && is(query.stage(), card.row().stage())
        && is(query.task(), card.task())
        && is(query.worker(), card.row().worker())
        && (text == null
            || contains(card.row().session())
            || contains(card.row().traceId())
            || contains(card.task())
            || contains(card.row().taskName()));
  }

  private static boolean is(String wanted, String value) {
    return wanted == null || wanted.equals(value);
  }

  private boolean contains(String value) {
    return value != null && value.toLowerCase(Locale.ROOT).contains(text);
  }
}
