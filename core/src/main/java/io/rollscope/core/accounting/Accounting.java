package io.rollscope.core.accounting;

import io.rollscope.core.stats.IndexSort;
import io.rollscope.core.time.Nanos;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Splits the wall time of one session among its spans and waits, exactly.
 *
 * <p>At each instant the time belongs to the <em>blocking leaf</em>: of the open spans that are
 * work and have no open child, the one that ends last. With parent ids a child is a child by id;
 * without, a span strictly inside another is its child, and then the blocking leaf is simply the
 * open span that started last (of those the one that ends first). No such span: it is a wait.
 *
 * <p>Leaf time of a span after its last child ended is a <em>candidate</em> for a wait: what others
 * of the session's group still did then, {@link SiblingWaits} knows. Of spans that lie in each
 * other by time alone only XTuner's group stages have candidates.
 *
 * <p>The object is a buffer, used for one session after another.
 */
public final class Accounting {
  private static final int NONE = -1;
  private static final long CHILDLESS = Long.MIN_VALUE;
  private static final String GROUP_STAGE = "generate_group";

  private long[] self = new long[64];
  private long wall;
  private long queue;
  private long gap;
  private long barrier;
  private long unaccounted;
  private long outside;
  private long workEnd;
  private long ownEnd;

  private int[] candidateLeaf = new int[4];
  private long[] candidateFrom = new long[4];
  private long[] candidateTo = new long[4];
  private int candidates;

  /** Per span: when its last child ended, or {@link #CHILDLESS}. */
  private long[] childrenEnd = new long[64];

  private SpanSet spans;
  private long from;
  private long to;
  private boolean byParent;
  private int[] starting = new int[64];
  private int[] ending = new int[64];
  private int works;

  /** Between these lie all spans of the window, also those without length. */
  private long first;

  private long last;

  /** With parent ids: the span that stands for all copies of a span, and the next copy. */
  private int[] original = new int[64];

  private int[] nextCopy = new int[64];
  private int[] parent = new int[64];
  private int[] openChildren = new int[64];
  private boolean[] active = new boolean[64];
  private int[] heap = new int[64];
  private int heapSize;
  private Pieces pieces;
  private long siblingsEnd = SiblingWaits.NOBODY;

  /**
   * From now on tells {@code listener} of each piece; null tells nobody.
   *
   * @param othersEnd when the session's siblings were done, or {@link SiblingWaits#NOBODY}
   */
  public void tell(Pieces listener, long othersEnd) {
    pieces = listener;
    siblingsEnd = othersEnd;
  }

  /**
   * Accounts for the session loaded in {@code loaded} from {@code from} to {@code to}.
   *
   * @param finalised whether {@code to} is when the session's fate was decided, so that the time
   *     after its last span was a wait for others
   */
  public void account(SpanSet loaded, long from, long to, boolean finalised) {
    this.spans = loaded;
    this.from = from;
    this.to = Math.max(from, to);
    reset(loaded.count());
    wall = this.to - from;
    selectWork();
    if (first > last) {
      queue = wall;
      workEnd = ownEnd = this.to;
      tellIfAny(Pieces.QUEUE, from, this.to);
      return;
    }
    queue = first - from;
    workEnd = last;
    ownEnd = first;
    if (finalised) {
      barrier = this.to - last;
    } else {
      unaccounted = this.to - last;
    }
    tellIfAny(Pieces.QUEUE, from, first);
    tellIfAny(finalised ? Pieces.BARRIER : Pieces.UNACCOUNTED, last, this.to);
    byParent = hasIds();
    if (byParent) {
      linkParents();
    } else {
      lookIntoGroups();
    }
    IndexSort.sort(starting, works, (a, b) -> begin(a) < begin(b));
    IndexSort.sort(ending, works, (a, b) -> finish(a) < finish(b));
    sweep();
    if (candidates == 0) {
      ownEnd = workEnd;
    }
  }

  private void tellIfAny(int leaf, long since, long until) {
    if (pieces != null && since < until) {
      pieces.piece(leaf, since, until);
    }
  }

  private void reset(int count) {
    if (self.length < count) {
      int size = Math.max(count, self.length * 2);
      self = new long[size];
      starting = new int[size];
      ending = new int[size];
      original = new int[size];
      nextCopy = new int[size];
      parent = new int[size];
      openChildren = new int[size];
      active = new boolean[size];
      childrenEnd = new long[size];
    }
    Arrays.fill(self, 0, count, 0);
    Arrays.fill(active, 0, count, false);
    Arrays.fill(openChildren, 0, count, 0);
    Arrays.fill(childrenEnd, 0, count, CHILDLESS);
    candidates = 0;
    queue = gap = barrier = unaccounted = outside = 0;
    heapSize = 0;
    works = 0;
    first = Long.MAX_VALUE;
    last = Long.MIN_VALUE;
  }

  private long begin(int i) {
    return Math.max(from, spans.start(i));
  }

  private long finish(int i) {
    return Math.min(to, spans.end(i));
  }

  /** Only spans that are work and touch the window take part. */
  private void selectWork() {
    for (int i = 0; i < spans.count(); i++) {
      if (!spans.isWork(i)) {
        continue;
      }
      long inside = Nanos.length(begin(i), finish(i));
      long beyond = outside(i);
      outside = outside > Long.MAX_VALUE - beyond ? Long.MAX_VALUE : outside + beyond;
      boolean instant = spans.start(i) == spans.end(i) && begin(i) == finish(i);
      if (inside > 0 || instant) {
        first = Math.min(first, begin(i));
        last = Math.max(last, finish(i));
      }
      if (inside > 0) {
        starting[works] = i;
        ending[works] = i;
        works++;
      }
    }
  }

  private boolean hasIds() {
    for (int i = 0; spans.hasParents() && i < spans.count(); i++) {
      if (spans.spanId(i) != 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * A container between two spans is looked through: it is not what its parent waits for. A span
   * that was told twice is one parent.
   */
  private void linkParents() {
    Map<Long, Integer> byId = new HashMap<>();
    for (int i = 0; i < spans.count(); i++) {
      nextCopy[i] = NONE;
      Integer before = spans.spanId(i) == 0 ? null : byId.putIfAbsent(spans.spanId(i), i);
      original[i] = before == null ? i : before;
      if (before != null) {
        nextCopy[i] = nextCopy[before];
        nextCopy[before] = i;
      }
    }
    boolean byTime = spans.isNestedByTime();
    for (int span = 0; span < spans.count(); span++) {
      if (!spans.isWork(span)) {
        continue;
      }
      Integer above = byId.get(spans.parentId(span));
      int hops = 0;
      while (above != null && spans.kind(above).isContainer() && hops++ < spans.count()) {
        above = byId.get(spans.parentId(above));
      }
      boolean usable = above != null && above != original[span] && !spans.kind(above).isContainer();
      parent[span] = usable ? above : NONE;
      if (usable && (!byTime || isGroupStage(spans.rawName(above)))) {
        childEnds(above, span);
      }
    }
  }

  private void childEnds(int above, int child) {
    childrenEnd[above] = Math.max(childrenEnd[above], spans.end(child));
  }

  /**
   * Without parent ids: the stages in which XTuner waits for a whole group. Their last child is the
   * span that ends last of those that begin no earlier and end no later, but for the same interval.
   *
   * <p>Group by group in order of their starts, what begins earlier is taken out of a list by ends.
   */
  private void lookIntoGroups() {
    int[] byStart = original; // Nothing else needs them without parent ids.
    int[] byEnd = nextCopy;
    int[] kept = parent;
    int count = 0;
    boolean groups = false;
    for (int i = 0; i < spans.count(); i++) {
      if (spans.isWork(i)) {
        groups |= isGroupStage(spans.rawName(i));
        byStart[count] = i;
        byEnd[count] = i;
        count++;
      }
    }
    if (!groups) {
      return;
    }
    IndexSort.sort(byStart, count, (x, y) -> spans.start(x) < spans.start(y));
    IndexSort.sort(byEnd, count, (x, y) -> spans.end(x) < spans.end(y));
    int[] place = openChildren;
    for (int k = 0; k < count; k++) {
      place[byEnd[k]] = k;
      kept[k] = k;
    }
    int next = 0;
    for (int k = 0; k < count; k = next) {
      long start = spans.start(byStart[k]);
      for (int j = k; j < count && spans.start(byStart[j]) == start; j++) {
        lookInto(byStart[j], false, count);
      }
      while (next < count && spans.start(byStart[next]) == start) {
        kept[place[byStart[next]]] = place[byStart[next]] - 1;
        next++;
      }
      for (int j = k; j < next; j++) {
        lookInto(byStart[j], true, count);
      }
    }
    Arrays.fill(openChildren, 0, spans.count(), 0);
  }

  /**
   * Finds the last child of a group's span among those still kept.
   *
   * @param including whether those that end with it count
   */
  private void lookInto(int group, boolean including, int count) {
    if (!isGroupStage(spans.rawName(group))) {
      return;
    }
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      long end = spans.end(nextCopy[middle]);
      if (end < spans.end(group) || (including && end == spans.end(group))) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    int last = low - 1;
    while (last >= 0 && parent[last] != last) {
      int before = parent[last];
      parent[last] = before < 0 ? before : parent[before]; // So that the way is shorter next time.
      last = before;
    }
    if (last >= 0) {
      childEnds(group, nextCopy[last]);
    }
  }

  private static boolean isGroupStage(String name) {
    return name.endsWith(GROUP_STAGE)
        && (name.length() == GROUP_STAGE.length()
            || name.charAt(name.length() - GROUP_STAGE.length() - 1) == '.');
  }

  private void sweep() {
    long now = first;
    int started = 0;
    int ended = 0;
    while (ended < works) {
      while (ended < works && finish(ending[ended]) <= now) {
        close(ending[ended++]);
      }
      while (started < works && begin(starting[started]) <= now) {
        open(starting[started++]);
      }
      if (ended == works) {
        break;
      }
      long next = finish(ending[ended]);
      if (started < works) {
        next = Math.min(next, begin(starting[started]));
      }
      int leaf = blockingLeaf();
      if (leaf == NONE) {
        gap += next - now;
      } else {
        self[leaf] += next - now;
        findEnds(leaf, now, next);
      }
      if (pieces != null && now < next) {
        tellPiece(leaf, now, next);
      }
      now = next;
    }
    gap += last - now;
    tellIfAny(Pieces.GAP, now, last);
  }

  private void tellPiece(int leaf, long since, long until) {
    if (leaf == NONE) {
      pieces.piece(Pieces.GAP, since, until);
      return;
    }
    long waitFrom = aloneFrom(leaf, since, until);
    long waitTo = Math.max(waitFrom, Math.min(until, siblingsEnd));
    tellIfAny(leaf, since, waitFrom);
    tellIfAny(Pieces.SIBLINGS, waitFrom, waitTo);
    tellIfAny(leaf, waitTo, until);
  }

  /** From when on a piece of leaf time is after the children of its span, if it has any. */
  private long aloneFrom(int leaf, long since, long until) {
    long children = childrenEnd[byParent ? original[leaf] : leaf];
    return children == CHILDLESS ? until : Math.min(until, Math.max(since, children));
  }

  /** Looks at a piece of leaf time: is it after the children of its span, or after such a piece? */
  private void findEnds(int leaf, long since, long until) {
    long alone = aloneFrom(leaf, since, until);
    if (candidates == 0 && since < alone) {
      ownEnd = alone;
    }
    if (alone == until) {
      return;
    }
    int k = candidates - 1;
    if (k >= 0 && candidateLeaf[k] == leaf && candidateTo[k] == alone) {
      candidateTo[k] = until;
      return;
    }
    if (candidates == candidateLeaf.length) {
      candidateLeaf = Arrays.copyOf(candidateLeaf, candidates * 2);
      candidateFrom = Arrays.copyOf(candidateFrom, candidates * 2);
      candidateTo = Arrays.copyOf(candidateTo, candidates * 2);
    }
    candidateLeaf[candidates] = leaf;
    candidateFrom[candidates] = alone;
    candidateTo[candidates++] = until;
  }

  private void open(int span) {
    active[span] = true;
    if (byParent && parent[span] != NONE) {
      openChildren[parent[span]]++;
    }
    push(span);
  }

  private void close(int span) {
    active[span] = false;
    if (byParent && parent[span] != NONE) {
      int above = parent[span];
      openChildren[above]--;
      for (int copy = above; openChildren[above] == 0 && copy != NONE; copy = nextCopy[copy]) {
        if (active[copy]) {
          push(copy);
        }
      }
    }
  }

  private int blockingLeaf() {
    while (heapSize > 0) {
      int candidate = heap[0];
      int children = openChildren[byParent ? original[candidate] : candidate];
      if (active[candidate] && children == 0) {
        return candidate;
      }
      pop();
    }
    return NONE;
  }

  /** Whether {@code a} is the blocking one of two open spans. */
  private boolean blocks(int a, int b) {
    if (byParent) {
      if (spans.end(a) != spans.end(b)) {
        return spans.end(a) > spans.end(b);
      }
      if (spans.start(a) != spans.start(b)) {
        return spans.start(a) > spans.start(b);
      }
      return Long.compareUnsigned(spans.spanId(a), spans.spanId(b)) < 0;
    }
    if (spans.start(a) != spans.start(b)) {
      return spans.start(a) > spans.start(b);
    }
    if (spans.end(a) != spans.end(b)) {
      return spans.end(a) < spans.end(b);
    }
    return spans.rawName(a).compareTo(spans.rawName(b)) < 0;
  }

  private void push(int span) {
    if (heapSize == heap.length) {
      heap = Arrays.copyOf(heap, heapSize * 2);
    }
    int at = heapSize++;
    while (at > 0 && blocks(span, heap[(at - 1) / 2])) {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap[at] = span;
  }

  private void pop() {
    int moving = heap[--heapSize];
    int at = 0;
    while (true) {
      int child = 2 * at + 1;
      if (child >= heapSize) {
        break;
      }
      if (child + 1 < heapSize && blocks(heap[child + 1], heap[child])) {
        child++;
      }
      if (!blocks(heap[child], moving)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = moving;
  }

  // ---- the answer ------------------------------------------------------------------------------

  /** Time in which the i-th span was the blocking leaf, waits for siblings included. */
  public long self(int i) {
    return self[i];
  }

  /** Length of the window; equals all self times plus all waits. */
  public long wall() {
    return wall;
  }

  /** Before the first span. */
  public long queue() {
    return queue;
  }

  /** Between two spans. */
  public long gap() {
    return gap;
  }

  /** After the last span, until the session's fate was decided. */
  public long barrier() {
    return barrier;
  }

  /** After the last span, for no known reason. */
  public long unaccounted() {
    return unaccounted;
  }

  /** Span time that lies outside the window. */
  public long outside() {
    return outside;
  }

  /** What of the i-th span, which is work, lies outside the window. */
  public long outside(int i) {
    return spans.end(i, to) - spans.start(i) - Nanos.length(begin(i), finish(i));
  }

  /** When the last own work ended, at the latest when the window ends. */
  public long workEnd() {
    return workEnd;
  }

  /** When the session by itself was done: the end of the last leaf time before all candidates. */
  public long ownEnd() {
    return ownEnd;
  }

  /** How many pieces of leaf time may have been waits for siblings; they are in order of time. */
  public int candidateCount() {
    return candidates;
  }

  /** Number of the span whose leaf time the k-th candidate is. */
  public int candidateLeaf(int k) {
    return candidateLeaf[k];
  }

  public long candidateFrom(int k) {
    return candidateFrom[k];
  }

  public long candidateTo(int k) {
    return candidateTo[k];
  }

  /** What of all candidates was a wait, if the others of the group were done at that time. */
  public long siblings(long othersEnd) {
    long sum = 0;
    for (int k = 0; k < candidates; k++) {
      sum += SiblingWaits.cut(candidateFrom[k], candidateTo[k], othersEnd);
    }
    return sum;
  }
}
