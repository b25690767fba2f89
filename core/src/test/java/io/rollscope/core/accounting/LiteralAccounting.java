package io.rollscope.core.accounting;

import io.rollscope.core.TableBuilder.Row;
import io.rollscope.core.model.Kind;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * contracts.md 5.1 to 5.9 read aloud, instant by instant: slow, and short enough to be believed.
 * Times are small integers, so that nothing changes within an instant.
 *
 * <p>Where the text leaves a choice, this is how it is read: a span that fills the same interval as
 * another is not inside it; one that shares only its start or its end is. Who contains whom and who
 * ends last is told before clipping. A container between two spans is looked through. A span that
 * names itself as parent has none. A span without length is a span, so that it can be the first or
 * the last; one that lies outside the window is not.
 */
final class LiteralAccounting {
  /** Time as blocking leaf, by name, interval and id. */
  final Map<String, Long> self = new TreeMap<>();

  long queue;
  long gap;
  long barrier;
  long unaccounted;
  long outside;
  long workEnd;
  long ownEnd;

  /** Instants that may be waits for siblings. */
  final List<Long> candidates = new ArrayList<>();

  private final List<Row> spans;
  private final boolean byParent;

  LiteralAccounting(List<Row> spans, boolean byParent, long from, long to, boolean finalised) {
    this.spans = spans;
    this.byParent = byParent;
    List<Row> work = spans.stream().filter(s -> !kind(s).isContainer()).toList();
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (Row span : work) {
      long begin = Math.max(from, span.time());
      long finish = Math.min(to, end(span));
      boolean instant = span.time() == end(span);
      if (finish > begin || (instant && begin == finish)) {
        first = Math.min(first, begin);
        last = Math.max(last, finish);
      }
      long whole = Math.max(span.time(), Math.min(end(span), open(span) ? to : Long.MAX_VALUE));
      outside += whole - span.time() - Math.max(0, finish - begin);
    }
    workEnd = first > last ? to : last;
    ownEnd = first > last ? to : first;
    for (long t = from; t < to; t++) {
      Row leaf = blockingLeaf(work, t);
      if (leaf != null && isCandidate(work, leaf, t)) {
        candidates.add(t);
      } else if (leaf != null && candidates.isEmpty()) {
        ownEnd = t + 1;
      }
      if (leaf != null) {
        self.merge(label(leaf), 1L, Long::sum);
      } else if (t < first) {
        queue++;
      } else if (t < last) {
        gap++;
      } else if (finalised) {
        barrier++;
      } else {
        unaccounted++;
      }
    }
    ownEnd = candidates.isEmpty() ? workEnd : ownEnd;
  }

  private boolean isCandidate(List<Row> work, Row leaf, long t) {
    List<Row> children = work.stream().filter(other -> isChild(other, leaf)).toList();
    boolean canWait = byParent || leaf.name().endsWith(".generate_group");
    return canWait && !children.isEmpty() && children.stream().allMatch(c -> end(c) <= t);
  }

  private Row blockingLeaf(List<Row> work, long t) {
    List<Row> leaves = new ArrayList<>();
    for (Row span : work) {
      boolean parentOfOpen =
          work.stream().anyMatch(other -> isOpenAt(other, t) && isChild(other, span));
      if (isOpenAt(span, t) && !parentOfOpen) {
        leaves.add(span);
      }
    }
    Comparator<Row> blocking =
        Comparator.<Row>comparingLong(LiteralAccounting::end)
            .thenComparingLong(Row::time)
            .thenComparing(s -> -s.spanId())
            .thenComparing(Row::name, Comparator.reverseOrder());
    return leaves.stream().max(blocking).orElse(null);
  }

  private boolean isChild(Row inner, Row outer) {
    if (byParent) {
      long parent = parentOf(inner);
      return parent != 0 && parent == outer.spanId() && parent != inner.spanId();
    }
    boolean inside = outer.time() <= inner.time() && end(inner) <= end(outer);
    boolean same = outer.time() == inner.time() && end(inner) == end(outer);
    return inside && !same;
  }

  /** Id of the nearest ancestor that is work, or 0. */
  private long parentOf(Row span) {
    long id = span.parentId();
    for (int hops = 0; hops <= spans.size(); hops++) {
      long wanted = id;
      Row above = spans.stream().filter(s -> s.spanId() == wanted).findFirst().orElse(null);
      if (wanted == 0 || above == null) {
        return 0;
      }
      if (!kind(above).isContainer()) {
        return wanted;
      }
      id = above.parentId();
    }
    return 0;
  }

  private static boolean isOpenAt(Row span, long t) {
    return span.time() <= t && t < end(span);
  }

  private static boolean open(Row span) {
    return span.extent() == Nanos.OPEN;
  }

  private static long end(Row span) {
    return Math.max(span.time(), span.extent());
  }

  private static Kind kind(Row span) {
    return RowKind.kind(span.kind());
  }

  static String label(Row span) {
    return label(span.name(), span.time(), end(span), span.spanId());
  }

  static String label(String name, long start, long end, long id) {
    return name + " " + start + "-" + (end == Nanos.OPEN ? "" : end) + " #" + id;
  }
}
