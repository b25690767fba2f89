package io.rollscope.formats.otlp;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Worker;
import io.rollscope.core.session.GroupMark;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.session.SpanMerge;
import io.rollscope.core.stats.Counters;
import io.rollscope.core.table.ByteColumn;
import io.rollscope.core.table.Dictionary;
import io.rollscope.core.table.IntColumn;
import io.rollscope.core.table.Interner;
import io.rollscope.core.table.LongColumn;
import io.rollscope.core.table.RewardAndTokensColumn;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.Identity;
import io.rollscope.otlp.record.Origin;
import io.rollscope.otlp.record.Said;
import io.rollscope.otlp.record.SpanRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All spans read, each once with what its versions say together, in columns: about 70 bytes for
 * each. Those of a trace are chained.
 */
final class SpanColumns {
  private static final int NONE = -1;

  /** Up to this many spans the chain of a trace is searched. */
  private static final int FEW = 16;

  private static final int SAIDS = 64;

  private final LongColumn spanId = new LongColumn(0);
  private final LongColumn parentId = new LongColumn(0);
  private final LongColumn start = new LongColumn(0);
  private final LongColumn end = new LongColumn(0);
  private final LongColumn origin = new LongColumn(0);
  private final ByteColumn kind = new ByteColumn((byte) 0);
  private final IntColumn name = new IntColumn(0);
  private final IntColumn place = new IntColumn(0);
  private final IntColumn named = new IntColumn(NONE);
  private final IntColumn label = new IntColumn(0);
  private final IntColumn error = new IntColumn(NONE);
  private final RewardAndTokensColumn rewardAndTokens = new RewardAndTokensColumn();
  private final LongColumn queued = new LongColumn(Nanos.UNKNOWN);
  private final IntColumn trace = new IntColumn(0);
  private final IntColumn next = new IntColumn(NONE);
  private int size;

  private final LongColumn traceHigh = new LongColumn(0);
  private final LongColumn traceLow = new LongColumn(0);
  private final IntColumn first = new IntColumn(NONE);
  private final IntColumn count = new IntColumn(0);
  private int traces;

  private final LongNumbers traceIds = new LongNumbers(this::isTrace, this::hashOfTrace);
  private final LongNumbers ofLargeTraces = new LongNumbers(this::isSpan, this::hashOfSpan);

  final Interner<SpanName> names = new Interner<>();
  final Interner<Coordinates> places = new Interner<>();
  final Dictionary errors = new Dictionary();
  private final Interner<SpanLabels> labels = new Interner<>();
  private final Dictionary sessions = new Dictionary();

  /** Of spans whose weaker versions say something that the strongest does not. */
  private final Map<Integer, List<ReadSpan>> versions = new HashMap<>();

  private final Translated[] translated = new Translated[SAIDS];

  /** What a request's {@link Said} is here; spans of one session share them. */
  private record Translated(Said said, String service, Origin origin, int[] numbers) {}

  // ---- adding ----------------------------------------------------------------------------------

  /** The number of a trace, given now if it is new. */
  int traceNumber(long high, long low) {
    int known = traceIds.find(high, low);
    if (known >= 0) {
      return known;
    }
    int number = traces++;
    traceHigh.set(number, high);
    traceLow.set(number, low);
    traceIds.add(number);
    return number;
  }

  /**
   * Takes in a version of a span.
   *
   * @param service its run if its trace names none
   * @param from where its line is
   * @return its number; {@code -1 - number} if nothing is new
   */
  int add(SpanRecord version, int ofTrace, String service, long from) {
    int known = find(ofTrace, version.spanId());
    if (known < 0) {
      return append(version, ofTrace, service, from);
    }
    List<ReadSpan> before = versions.get(known);
    if (before == null && isSameButForItsEnd(known, version, service)) {
      return version.isOpen() ? -1 - known : close(known, version, from);
    }
    before = before == null ? List.of(get(known)) : before;
    List<ReadSpan> all = SpanMerge.add(before, read(version, service, from));
    if (all == before) {
      return -1 - known;
    }
    ReadSpan united = SpanMerge.united(all);
    if (united.equals(all.get(0))) {
      versions.remove(known); // Whatever else will come, the others add nothing.
    } else {
      versions.put(known, all);
    }
    set(known, united);
    return known;
  }

  /** The usual two versions, its start and the whole: nothing is to be compared or united. */
  private boolean isSameButForItsEnd(int span, SpanRecord version, String service) {
    int[] numbers = translate(version.said(), service, version.origin());
    return isOpen(span) != version.isOpen()
        && kind(span) == version.kind()
        && version.kind() != Kind.SESSION
        && place.get(span) == numbers[0]
        && named.get(span) == numbers[1]
        && label.get(span) == numbers[2]
        && saysAsMuch(span, version)
        && names.get(name.get(span)).equals(nameOf(version));
  }

  /** Whether the one that has ended says all that the other says of what is no identity. */
  private boolean saysAsMuch(int span, SpanRecord version) {
    long begun = version.isOpen() ? version.queuedNs() : queued.get(span);
    long whole = version.isOpen() ? queued.get(span) : version.queuedNs();
    if (begun != Nanos.UNKNOWN && begun != whole) {
      return false;
    }
    RewardAndTokens known = rewardAndTokens.get(span);
    RewardAndTokens ended = version.isOpen() ? known : version.rewardAndTokens();
    return ended.or(version.isOpen() ? version.rewardAndTokens() : known).equals(ended);
  }

  private int close(int span, SpanRecord version, long from) {
    parentId.set(span, version.parentId());
    start.set(span, version.startNs());
    end.set(span, version.endNs());
    origin.set(span, from);
    kind.set(span, RowKind.of(RowKind.SPAN, version.outcome(), version.kind()));
    rewardAndTokens.set(span, version.rewardAndTokens());
    queued(span, version.queuedNs());
    error.set(span, version.error() == null ? NONE : errors.intern(version.error()));
    return span;
  }

  private int append(SpanRecord version, int ofTrace, String service, long from) {
    int span = size++;
    int[] numbers = translate(version.said(), service, version.origin());
    Map<String, Long> counters = counters(version);
    String group = group(version);
    spanId.set(span, version.spanId());
    parentId.set(span, version.parentId());
    start.set(span, version.startNs());
    end.set(span, version.endNs());
    origin.set(span, from);
    kind.set(span, RowKind.of(RowKind.SPAN, version.outcome(), version.kind()));
    name.set(span, names.intern(nameOf(version)));
    place.set(span, numbers[0]);
    named.set(span, numbers[1]);
    label.set(
        span,
        counters.isEmpty() && group == null
            ? numbers[2]
            : labels.intern(
                SpanLabels.of(version.said(), service, version.origin(), group, counters)));
    rewardAndTokens.set(span, version.rewardAndTokens());
    queued(span, version.queuedNs());
    if (version.error() != null) {
      error.set(span, errors.intern(version.error()));
    }
    chain(span, ofTrace);
    return span;
  }

  private void chain(int span, int ofTrace) {
    trace.set(span, ofTrace);
    next.set(span, first.get(ofTrace));
    first.set(ofTrace, span);
    int spans = count.get(ofTrace) + 1;
    count.set(ofTrace, spans);
    if (spans == FEW + 1) {
      for (int each = span; each >= 0; each = next.get(each)) {
        ofLargeTraces.add(each);
      }
    } else if (spans > FEW) {
      ofLargeTraces.add(span);
    }
  }

  /** Spans of one request that say the same share it: most cost one comparison. */
  @SuppressWarnings("ReferenceEquality")
  private int[] translate(Said said, String service, Origin origin) {
    int slot = System.identityHashCode(said) & SAIDS - 1;
    Translated known = translated[slot];
    if (known != null
        && known.said == said
        && known.origin == origin
        && known.service.equals(service)) {
      return known.numbers;
    }
    int[] numbers = {
      places.intern(coordinates(said)),
      said.session() == null ? NONE : sessions.intern(said.session()),
      labels.intern(SpanLabels.of(said, service, origin, null, Map.of()))
    };
    translated[slot] = new Translated(said, service, origin, numbers);
    return numbers;
  }

  private static Coordinates coordinates(Said said) {
    return new Coordinates(
        said.batch(),
        said.trainStep(),
        said.modelStep(),
        said.futureStep(),
        said.task(),
        said.taskName(),
        new Worker(said.workerRole(), said.workerRank()),
        said.sourceStatus());
  }

  private static SpanName nameOf(SpanRecord version) {
    String stage = version.said().stage();
    return new SpanName(version.name(), stage == null ? version.name() : stage);
  }

  private static Map<String, Long> counters(SpanRecord version) {
    if (version.kind() != Kind.SESSION) {
      return Map.of();
    }
    Map<String, Long> found = new TreeMap<>();
    version
        .attributes()
        .forEach(
            (key, value) -> {
              String counter = Counters.nameOf(key);
              Long amount = counter == null ? null : Identity.wholeNumber(value);
              if (amount != null) {
                found.putIfAbsent(counter, amount);
              }
            });
    return found.isEmpty() ? Map.of() : found;
  }

  /** The group it was seen to be begun in, or null. */
  private static String group(SpanRecord version) {
    return GroupMark.isGroupSpan(version.name())
        ? version.attributes().get(GroupMark.ATTRIBUTE)
        : null;
  }

  private static ReadSpan read(SpanRecord version, String service, long from) {
    return new ReadSpan(
        version.spanId(),
        version.parentId(),
        nameOf(version),
        version.kind(),
        version.startNs(),
        version.endNs(),
        version.outcome(),
        version.error(),
        coordinates(version.said()),
        version.said().session(),
        SpanLabels.of(version.said(), service, version.origin(), group(version), counters(version)),
        version.rewardAndTokens(),
        version.queuedNs(),
        from);
  }

  private void set(int span, ReadSpan now) {
    parentId.set(span, now.parentId());
    start.set(span, now.startNs());
    end.set(span, now.endNs());
    origin.set(span, now.origin());
    kind.set(span, RowKind.of(RowKind.SPAN, now.outcome(), now.kind()));
    name.set(span, names.intern(now.name()));
    place.set(span, places.intern(now.at()));
    named.set(span, now.session() == null ? NONE : sessions.intern(now.session()));
    label.set(span, labels.intern(now.labels()));
    rewardAndTokens.set(span, now.rewardAndTokens());
    queued(span, now.queuedNs());
    error.set(span, now.error() == null ? NONE : errors.intern(now.error()));
  }

  /** Where nobody says it, it takes no memory. */
  private void queued(int span, long ns) {
    if (ns != queued.get(span)) {
      queued.set(span, ns);
    }
  }

  // ---- looking ---------------------------------------------------------------------------------

  int size() {
    return size;
  }

  /** The span of a trace with this id, or -1. */
  int find(int ofTrace, long id) {
    if (count.get(ofTrace) > FEW) {
      return ofLargeTraces.find(ofTrace, id);
    }
    for (int span = first.get(ofTrace); span >= 0; span = next.get(span)) {
      if (spanId.get(span) == id) {
        return span;
      }
    }
    return NONE;
  }

  private boolean isTrace(int number, long high, long low) {
    return traceHigh.get(number) == high && traceLow.get(number) == low;
  }

  private long hashOfTrace(int number) {
    return LongNumbers.hash(traceHigh.get(number), traceLow.get(number));
  }

  private boolean isSpan(int span, long ofTrace, long id) {
    return spanId.get(span) == id && trace.get(span) == ofTrace;
  }

  private long hashOfSpan(int span) {
    return LongNumbers.hash(trace.get(span), spanId.get(span));
  }

  /** How many spans a trace has. */
  int count(int ofTrace) {
    return count.get(ofTrace);
  }

  /** The span of a trace that came last, or -1. */
  int first(int ofTrace) {
    return first.get(ofTrace);
  }

  /** The span of the same trace that came before, or -1. */
  int next(int span) {
    return next.get(span);
  }

  String traceId(int number) {
    return String.format("%016x%016x", traceHigh.get(number), traceLow.get(number));
  }

  int trace(int span) {
    return trace.get(span);
  }

  long spanId(int span) {
    return spanId.get(span);
  }

  long parentId(int span) {
    return parentId.get(span);
  }

  long start(int span) {
    return start.get(span);
  }

  long end(int span) {
    return end.get(span);
  }

  boolean isOpen(int span) {
    return end.get(span) == Nanos.OPEN;
  }

  /** When it was last heard of. */
  long heard(int span) {
    return isOpen(span) ? start.get(span) : end.get(span);
  }

  Kind kind(int span) {
    return RowKind.kind(kind.get(span));
  }

  Outcome outcome(int span) {
    return RowKind.outcome(kind.get(span));
  }

  int name(int span) {
    return name.get(span);
  }

  String stage(int span) {
    return names.get(name.get(span)).stage();
  }

  int place(int span) {
    return place.get(span);
  }

  /** Number of the error text, or -1. */
  int error(int span) {
    return error.get(span);
  }

  long origin(int span) {
    return origin.get(span);
  }

  /** Tokens it says it read; -1 if it does not say. */
  long inputTokens(int span) {
    return rewardAndTokens.inputTokens(span);
  }

  /** Tokens it says it wrote; likewise. */
  long outputTokens(int span) {
    return rewardAndTokens.outputTokens(span);
  }

  /** How long it waited in the queue of its engine, or {@link Nanos#UNKNOWN}. */
  long queuedNs(int span) {
    return queued.get(span);
  }

  SpanLabels labels(int span) {
    return labels.get(label.get(span));
  }

  /** The session it names, or null. */
  String session(int span) {
    return named.get(span) < 0 ? null : sessions.text(named.get(span));
  }

  /** All that it says. */
  ReadSpan get(int span) {
    return new ReadSpan(
        spanId.get(span),
        parentId.get(span),
        names.get(name.get(span)),
        kind(span),
        start.get(span),
        end.get(span),
        outcome(span),
        error.get(span) < 0 ? null : errors.text(error.get(span)),
        places.get(place.get(span)),
        session(span),
        labels(span),
        rewardAndTokens.get(span),
        queued.get(span),
        origin.get(span));
  }

  long bytes() {
    long sum = rewardAndTokens.bytes() + kind.bytes() + traceIds.bytes() + ofLargeTraces.bytes();
    sum += errors.bytes() + sessions.bytes();
    for (LongColumn column :
        new LongColumn[] {spanId, parentId, start, end, origin, queued, traceHigh, traceLow}) {
      sum += column.bytes();
    }
    for (IntColumn column :
        new IntColumn[] {name, place, named, label, error, trace, next, first, count}) {
      sum += column.bytes();
    }
    return sum;
  }
}
