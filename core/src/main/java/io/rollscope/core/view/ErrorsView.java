package io.rollscope.core.view;

import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Answers what went wrong: failed spans grouped by stage and error. */
public final class ErrorsView {
  private static final int MAX_GROUPS = 10_000;
  private static final int EXAMPLES = 5;
  private static final String NO_MESSAGE = "(no message)";
  private static final String OTHER = "(other errors)";

  private ErrorsView() {}

  /** The most frequent groups, at most {@code limit}. */
  public static ErrorsReport of(
      SpanTable table, Selection scope, int limit, ReportContext context) {
    ScopeFilter filter = new ScopeFilter(table, scope);
    Groups all =
        SessionPass.run(
            table,
            filter.kept(),
            () -> new Groups(table, filter),
            Groups::addSession,
            Groups::addAll);
    List<ErrorsReport.Group> groups =
        all.groups.entrySet().stream()
            .map(e -> e.getValue().report(e.getKey()))
            .sorted(
                Comparator.comparingLong(ErrorsReport.Group::count)
                    .reversed()
                    .thenComparing(ErrorsReport.Group::stage)
                    .thenComparing(ErrorsReport.Group::error))
            .limit(limit)
            .toList();
    return new ErrorsReport(
        context.source(),
        context.run(),
        scope.scope().word(),
        groups,
        all.groups.size() - (long) groups.size());
  }

  private record Key(String stage, String error) {}

  private static final class Group {
    private long count;
    private long sessions;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;
    private int lastSession = -1;
    private final TreeSet<String> examples = new TreeSet<>();

    void add(int session, String key, long end) {
      count++;
      first = Math.min(first, end);
      last = Math.max(last, end);
      if (session != lastSession) {
        lastSession = session;
        sessions++;
        example(key);
      }
    }

    private void example(String key) {
      examples.add(key);
      if (examples.size() > EXAMPLES) {
        examples.pollLast();
      }
    }

    void addAll(Group other) {
      count += other.count;
      sessions += other.sessions;
      first = Math.min(first, other.first);
      last = Math.max(last, other.last);
      other.examples.forEach(this::example);
    }

    ErrorsReport.Group report(Key key) {
      return new ErrorsReport.Group(
          key.stage(),
          key.error(),
          count,
          sessions,
          Nanos.toSeconds(first),
          Nanos.toSeconds(last),
          List.copyOf(examples));
    }
  }

  private static final class Groups {
    private final SpanTable table;
    private final ScopeFilter filter;
    private final Map<Key, Group> groups = new HashMap<>();

    Groups(SpanTable table, ScopeFilter filter) {
      this.table = table;
      this.filter = filter;
    }

    void addSession(SessionSpans spans) {
      int s = spans.session();
      boolean lane = table.isLane(s);
      Status status = lane ? Status.COMPLETED : SessionState.statusOf(spans);
      if (lane ? !filter.includesLanes() : !filter.includes(spans, status)) {
        return;
      }
      for (int i = 0; i < spans.count(); i++) {
        if (spans.outcome(i) == Outcome.ERROR
            && spans.isWork(i)
            && !spans.isOpen(i)
            && filter.includesErrorsOf(spans.stage(i))) {
          String error = spans.error(i);
          group(new Key(spans.stage(i), error == null ? NO_MESSAGE : error))
              .add(s, table.key(s), spans.end(i));
        }
      }
    }

    private Group group(Key key) {
      boolean known = groups.size() < MAX_GROUPS || groups.containsKey(key);
      return groups.computeIfAbsent(known ? key : new Key(key.stage(), OTHER), k -> new Group());
    }

    void addAll(Groups other) {
      other.groups.forEach((key, group) -> group(key).addAll(group));
    }
  }
}
