package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.model.Worker;
import io.rollscope.core.table.ProcessSign;
import io.rollscope.core.table.SpanTable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Are records missing, so that what is shown may be wrong? */
final class DataLossDetector implements Detector {
  /** A hundredth of the records moves no median and no share that a finding goes by. */
  private static final double TOLERATED = .01;

  /** Sources whose parents are never recorded are made so; where half are, records got lost. */
  private static final double BY_DESIGN = .5;

  /** Fewer calls without their parents may belong to a request that was cut at the start. */
  private static final int LEAST = 10;

  private record Place(Worker worker, int name) {}

  /** Calls that name a parent, and those whose parent is nowhere. */
  private static final class Children {
    private int all;
    private int orphans;
    private long sinceNs = Long.MAX_VALUE;
  }

  @Override
  public void detect(RunWork work, Causes causes) {
    if (work.processes().isEmpty()) {
      causes.cannotJudge(FindingKind.DATA_LOSS, "No process tells what it had to drop.");
    }
    Map<Worker, Integer> calls = new HashMap<>();
    for (int i = 0; i < work.callCount(); i++) {
      calls.merge(work.worker(i), 1, Integer::sum);
    }
    for (ProcessSign sign : work.processes()) {
      drops(sign, calls.getOrDefault(sign.worker(), 0), causes);
    }
    if (work.table().hasParents()) {
      orphans(work, causes);
    }
    if (causes.has(FindingKind.DATA_LOSS)) {
      causes.cannotJudge(
          FindingKind.DATA_LOSS,
          "What lost records cost is not known: the time they stand for is not recorded.");
    }
  }

  private static void drops(ProcessSign sign, int kept, Causes causes) {
    long lost = sign.droppedSpans() + sign.droppedStarts() + sign.deletedSpans();
    if (lost <= TOLERATED * (lost + kept)) {
      return;
    }
    String who = name(sign);
    Cause cause =
        new Cause(FindingKind.DATA_LOSS, new Subject("process", who), null, sign.timeNs())
            .sentence(
                who
                    + " dropped "
                    + Words.count(lost, "record")
                    + " ("
                    + Words.share((double) lost / (lost + kept))
                    + " of what it had). Its numbers are too low.")
            .advice(
                "Look whether "
                    + who
                    + " reaches the server, and whether its disk or queue is full.")
            .evidence("spans dropped", (double) sign.droppedSpans(), 0.0, "records", null)
            .evidence("starts dropped", (double) sign.droppedStarts(), 0.0, "records", null)
            .evidence("spans deleted unread", (double) sign.deletedSpans(), 0.0, "records", null);
    causes.add(sign.ended() ? cause.until(sign.timeNs()) : cause);
  }

  private static String name(ProcessSign sign) {
    String worker = RunWork.workerId(sign.worker());
    return worker != null ? worker : sign.host() + ":" + sign.pid();
  }

  private void orphans(RunWork work, Causes causes) {
    long[] ids = ids(work.table());
    OpenWork open = work.open();
    Map<Place, Children> places = new HashMap<>();
    for (int i = 0; i < work.callCount(); i++) {
      long parent = work.table().parentId(work.row(i));
      if (parent == 0 || open.doing(work.session(i)) != OpenWork.Doing.ENDED) {
        continue; // The parent of something unfinished may come yet.
      }
      Children children =
          places.computeIfAbsent(new Place(work.worker(i), work.name(i)), p -> new Children());
      children.all++;
      if (work.parent(i) == RunWork.NONE && Arrays.binarySearch(ids, parent) < 0) {
        children.orphans++;
        children.sinceNs = Math.min(children.sinceNs, work.start(i));
      }
    }
    places.forEach(
        (place, children) -> {
          double share = (double) children.orphans / children.all;
          if (children.orphans >= LEAST && share > TOLERATED && share < BY_DESIGN) {
            causes.add(cause(work, place, children, share));
          }
        });
  }

  private static Cause cause(RunWork work, Place place, Children children, double share) {
    String stage = work.table().nameOf(place.name()).stage();
    String who = String.valueOf(RunWork.workerId(place.worker()));
    return new Cause(FindingKind.DATA_LOSS, new Subject("process", who), stage, children.sinceNs)
        .until(work.nowNs())
        .sentence(
            Words.count(children.orphans, "call")
                + " of "
                + stage
                + " on "
                + who
                + " ("
                + Words.share(share)
                + ") name a parent that was never recorded.")
        .advice("Look whether the callers of " + stage + " were killed or lost their records.")
        .evidence("calls without their parent", children.orphans, 0.0, "calls", stage);
  }

  private static long[] ids(SpanTable table) {
    long[] ids = new long[table.rows()];
    int count = 0;
    for (int row = 0; row < table.rows(); row++) {
      if (table.session(row) >= 0 && !table.isInferred(row)) {
        ids[count++] = table.spanId(row);
      }
    }
    ids = Arrays.copyOf(ids, count);
    Arrays.sort(ids);
    return ids;
  }
}
