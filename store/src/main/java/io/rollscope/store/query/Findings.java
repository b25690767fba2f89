package io.rollscope.store.query;

import io.rollscope.core.diagnosis.FindingsReport;
import io.rollscope.core.diagnosis.FindingsView;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.table.ProcessSign;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.Scope;
import java.sql.SQLException;
import java.util.List;

/** What is wrong with a stored run: {@link FindingsView} looks at its work as at a folder's. */
final class Findings {
  /**
   * To read so many takes 2.6 s of processor time and 70 MB of memory; somebody waits for the
   * answer, and the server goes on receiving meanwhile.
   */
  static final int MOST_SPANS = 1_000_000;

  private Findings() {}

  static FindingsReport of(
      Query query, Question question, List<ProcessSign> processes, ReportContext context)
      throws SQLException {
    Question whole = Question.of(question.run(), Scope.ALL, question.nowNs());
    StoredWork work = StoredWork.read(query, whole, MOST_SPANS);
    SpanTable table = work.table();
    processes.forEach(table::heard);
    boolean onOwnClock = table.newestEvent() == Nanos.UNKNOWN;
    ReportRequest request =
        ReportRequest.of(question.scope())
            .filter(question.filter())
            .now(onOwnClock ? Nanos.UNKNOWN : question.nowNs());
    return FindingsView.of(table, request, context).butNot(work.leftOut());
  }
}
