package io.rollscope.formats.otlp;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Worker;
import io.rollscope.core.session.ProcessLife;
import io.rollscope.core.session.TraceResolver;
import io.rollscope.core.session.TraceSpans;
import io.rollscope.core.table.IntColumn;
import io.rollscope.core.table.LongColumn;
import io.rollscope.core.table.ProcessSign;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.formats.folder.Beginnings;
import io.rollscope.formats.folder.Runs;
import io.rollscope.formats.folder.TraceFile;
import io.rollscope.otlp.record.Origin;
import io.rollscope.otlp.record.Request;
import io.rollscope.otlp.record.Sign;
import io.rollscope.otlp.record.SpanRecord;
import io.rollscope.otlp.record.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Puts the spans of OTLP files into the tables of their runs, trace by trace: after each look only
 * traces with news are resolved again, and only sessions with news are summed up.
 */
final class OtlpTraces implements Runs.Unsettled, TraceSpans {
  private static final int NONE = -1;

  private final SpanColumns spans = new SpanColumns();

  /** By span: its row in the table of its run, or -1. */
  private final IntColumn rows = new IntColumn(NONE);

  /** Spans that say something else than their row. */
  private final BitSet stale = new BitSet();

  private final BitSet dirty = new BitSet();

  /** By trace: when something last happened in it, and the run of its spans that name none. */
  private final LongColumn newest = new LongColumn(Nanos.UNKNOWN);

  private final IntColumn runOf = new IntColumn(NONE);
  private final List<String> runNames = new ArrayList<>();
  private final Map<String, Integer> runNumbers = new HashMap<>();
  private final Map<String, RunTable> tables = new LinkedHashMap<>();

  /** By span, and those whose span was not seen by trace. */
  private final Map<Integer, ReadVerdict> verdicts = new HashMap<>();

  private final Map<Integer, Map<Long, ReadVerdict>> early = new LinkedHashMap<>();

  /** Least run and service that verdicts of a trace name. */
  private final Map<Integer, String[]> verdictNames = new HashMap<>();

  /** By trace: parents of which only children were heard of. */
  private final Map<Integer, List<Inferred>> inferred = new LinkedHashMap<>();

  private final BitSet open = new BitSet();
  private final Map<String, ProcessRecords> processes = new LinkedHashMap<>();
  private final TraceResolver resolver = new TraceResolver();
  private Origin lastOrigin;
  private ProcessRecords lastProcess;

  private int[] members = new int[16];
  private int[] parents = new int[16];
  private int memberCount;

  /** A row that shows a parent not yet seen. */
  private record Inferred(RunTable table, int row) {}

  /** What is known of a process. */
  private static final class ProcessRecords {
    final ProcessLife life = new ProcessLife();
    Sign last;
    String run;

    /** The worker that it is, and the run that it was first of. */
    private final Worker worker;

    private final String firstRun;
    private long firstNs = Long.MAX_VALUE;
    private Long step;
    private long stepNs;

    ProcessRecords(Origin origin, String firstRun) {
      this.worker = new Worker(origin.workerRole(), origin.workerRank());
      this.firstRun = firstRun;
    }

    void began(long ns, Long atStep) {
      firstNs = Math.min(firstNs, ns);
      if (atStep != null && (step == null || ns < stepNs)) {
        step = atStep;
        stepNs = ns;
      }
    }

    Beginnings.Seen seen() {
      return new Beginnings.Seen(worker, firstNs, life.recordNs(), life.hasEnded(), step, stepNs);
    }

    /** Only a goodbye tells: a file is silent when nobody writes it any more. */
    long lostNs() {
      return life.hasEnded() ? life.recordNs() : Nanos.OPEN;
    }

    ProcessSign sign() {
      return new ProcessSign(
          last.origin().instance(),
          new Worker(last.origin().workerRole(), last.origin().workerRank()),
          last.origin().host(),
          last.origin().pid(),
          last.timeNs(),
          life.hasEnded(),
          last.droppedSpans(),
          last.droppedStarts(),
          last.droppedMetrics(),
          last.cutAttributes(),
          last.deletedSpans());
    }
  }

  // ---- taking in -------------------------------------------------------------------------------

  void add(Request request, TraceFile file, long offset) {
    long from = SpanTable.origin(file.number(), offset);
    for (SpanRecord span : request.spans()) {
      int trace = spans.traceNumber(span.traceHigh(), span.traceLow());
      int number = spans.add(span, trace, service(span.origin(), file), from);
      String run = span.said().run() != null ? span.said().run() : service(span.origin(), file);
      ProcessRecords sender =
          heard(span.origin(), run, span.isOpen() ? span.startNs() : span.endNs());
      if (sender != null) {
        sender.began(span.startNs(), span.said().trainStep());
      }
      if (number >= 0) {
        stale.set(number);
        open.set(number, spans.isOpen(number));
        saw(trace, spans.heard(number));
        Map<Long, ReadVerdict> waiting = early.isEmpty() ? null : early.get(trace);
        if (waiting != null && waiting.containsKey(span.spanId())) {
          verdicts.merge(number, waiting.remove(span.spanId()), ReadVerdict::and);
        }
      }
    }
    for (Verdict verdict : request.verdicts()) {
      add(verdict, service(verdict.origin(), file));
    }
    for (Sign sign : request.signs()) {
      String run = sign.run() != null ? sign.run() : service(sign.origin(), file);
      ProcessRecords process = heard(sign.origin(), run, sign.timeNs());
      process.began(sign.timeNs(), null);
      if (sign.end()) {
        process.life.end(sign.timeNs());
      }
      if (process.last == null
          || sign.timeNs() > process.last.timeNs()
          || (sign.timeNs() == process.last.timeNs() && sign.end())) {
        process.last = sign;
        process.run = run;
      }
    }
  }

  /** The run of what names none, neither itself nor by its trace. */
  static String service(Origin origin, TraceFile file) {
    return file.runGiven() != null || origin.service() == null || origin.service().isEmpty()
        ? file.run()
        : origin.service();
  }

  private void add(Verdict verdict, String service) {
    int trace = spans.traceNumber(verdict.traceHigh(), verdict.traceLow());
    ReadVerdict read = ReadVerdict.of(verdict);
    int span = spans.find(trace, verdict.spanId());
    if (span >= 0) {
      verdicts.merge(span, read, ReadVerdict::and);
      stale.set(span);
    } else {
      early
          .computeIfAbsent(trace, t -> new LinkedHashMap<>(4))
          .merge(verdict.spanId(), read, ReadVerdict::and);
    }
    String run = verdict.said().run();
    verdictNames.merge(
        trace,
        new String[] {run, service},
        (a, b) -> new String[] {least(a[0], b[0]), least(a[1], b[1])});
    saw(trace, verdict.decidedNs());
  }

  private static String least(String a, String b) {
    return a == null || (b != null && b.compareTo(a) < 0) ? b : a;
  }

  private void saw(int trace, long ns) {
    dirty.set(trace);
    newest.set(trace, Math.max(newest.get(trace), ns));
  }

  /** What comes in one request shares its origin. */
  @SuppressWarnings("ReferenceEquality")
  private ProcessRecords heard(Origin origin, String run, long ns) {
    if (origin.instance() == null) {
      return null;
    }
    if (origin != lastOrigin) {
      lastOrigin = origin;
      lastProcess =
          processes.computeIfAbsent(origin.instance(), i -> new ProcessRecords(origin, run));
    }
    lastProcess.life.record(ns);
    return lastProcess;
  }

  @Override
  public long bytes() {
    return spans.bytes() + rows.bytes() + newest.bytes() + runOf.bytes();
  }

  // ---- into the tables -------------------------------------------------------------------------

  @Override
  public void settle(Runs runs) {
    for (int trace = dirty.nextSetBit(0); trace >= 0; trace = dirty.nextSetBit(trace + 1)) {
      resolve(trace, runs);
    }
    dirty.clear();
    deliverEarly();
    lose();
    tables.values().forEach(table -> table.describe(verdicts));
    forgetMissing();
    tables.values().forEach(table -> table.describe(verdicts));
    for (ProcessRecords process : processes.values()) {
      if (process.last != null && tables.containsKey(process.run)) {
        tables.get(process.run).table().heard(process.sign()); // A run is made of what it did.
      }
    }
    processes.values().stream()
        .filter(process -> tables.containsKey(process.firstRun))
        .collect(
            Collectors.groupingBy(
                process -> process.firstRun,
                Collectors.mapping(ProcessRecords::seen, Collectors.toList())))
        .forEach((run, ofRun) -> runs.run(run).begun(Beginnings.of(ofRun)));
    for (Iterator<RunTable> each = tables.values().iterator(); each.hasNext(); ) {
      RunTable table = each.next();
      if (table.table().events() == 0) {
        runs.forget(table.run());
        each.remove();
      }
    }
  }

  private void resolve(int trace, Runs runs) {
    gather(trace);
    resolver.resolve(this);
    String[] said = verdictNames.get(trace);
    if (said != null) {
      resolver.name(said[0], said[1]);
    }
    List<Inferred> before = inferred.remove(trace);
    if (before != null) {
      before.forEach(one -> one.table().remove(one.row()));
    }
    int runBefore = runOf.get(trace);
    String run = resolver.run();
    for (int i = 0; i < memberCount; i++) {
      int span = members[i];
      SpanLabels labels = spans.labels(span);
      RunTable table = table(labels.run() != null ? labels.run() : run, runs);
      int session = table.number(id(i, trace), resolver.isLane(i));
      int place = table.place(span, resolver.isLane(i) ? member(resolver.batchOf(i)) : NONE);
      int row = rows.get(span);
      if (row >= 0) {
        String placed = labels.run() != null ? labels.run() : runNames.get(runBefore);
        RunTable old = tables.get(placed);
        if (old == table && table.table().session(row) == session && !stale.get(span)) {
          if (resolver.isLane(i)) {
            table.table().place(row, place);
          }
          continue;
        }
        old.remove(row);
      }
      rows.set(span, table.add(span, session, place, Nanos.OPEN));
      stale.clear(span);
    }
    runOf.set(trace, number(run));
    resolver.forEachMissing(
        (parent, i) -> {
          SpanLabels labels = spans.labels(members[i]);
          RunTable table = table(labels.run() != null ? labels.run() : run, runs);
          int row = table.addInferred(members[i], table.table().session(rows.get(members[i])));
          inferred.computeIfAbsent(trace, t -> new ArrayList<>(1)).add(new Inferred(table, row));
        });
  }

  private int member(int i) {
    return i < 0 ? NONE : members[i];
  }

  private String id(int i, int trace) {
    if (resolver.isLane(i)) {
      return resolver.lane(i);
    }
    String session = resolver.session(i);
    return session != null ? session : spans.traceId(trace);
  }

  private RunTable table(String run, Runs runs) {
    return tables.computeIfAbsent(run, r -> new RunTable(spans, runs.run(r)));
  }

  private int number(String run) {
    return runNumbers.computeIfAbsent(
        String.valueOf(run),
        r -> {
          runNames.add(r);
          return runNames.size() - 1;
        });
  }

  /** Verdicts whose span was not seen go by the session that they name. */
  private void deliverEarly() {
    early.forEach(
        (trace, decided) -> {
          for (ReadVerdict verdict : decided.values()) {
            int run = runOf.get(trace);
            String[] said = verdictNames.get(trace);
            String own =
                verdict.run() != null || run < 0 ? least(verdict.run(), null) : runNames.get(run);
            RunTable table = tables.get(own != null ? own : said[0] != null ? said[0] : said[1]);
            int session =
                table == null || verdict.session() == null ? NONE : table.find(verdict.session());
            ReadVerdict known = session < 0 ? verdict : table.named.get(session);
            ReadVerdict now = known == null ? verdict : known.and(verdict);
            if (!now.equals(known)) {
              table.named.put(session, now);
              table.touch(session);
            }
          }
        });
  }

  /** Open spans of a process that said goodbye are lost, until something newer comes of it. */
  private void lose() {
    for (int span = open.nextSetBit(0); span >= 0; span = open.nextSetBit(span + 1)) {
      String instance = spans.labels(span).instance();
      ProcessRecords process = instance == null ? null : processes.get(instance);
      long lostNs = process == null ? Nanos.OPEN : process.lostNs();
      String named = spans.labels(span).run();
      RunTable table =
          tables.get(named != null ? named : runNames.get(runOf.get(spans.trace(span))));
      int row = rows.get(span);
      long shown = table.table().extent(row);
      long end = lostNs == Nanos.OPEN ? lostNs : Math.max(spans.start(span), lostNs);
      if (shown != end) {
        int session = table.table().session(row);
        int place = table.table().coordinates(row);
        table.remove(row);
        rows.set(span, table.add(span, session, place, lostNs));
      }
    }
  }

  /** What the run went on without for long enough is missing (contracts.md 3.11). */
  private void forgetMissing() {
    Iterator<Map.Entry<Integer, List<Inferred>>> each = inferred.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<Integer, List<Inferred>> entry = each.next();
      long last = newest.get(entry.getKey());
      entry
          .getValue()
          .removeIf(
              one -> {
                boolean over = TraceResolver.isOver(last, one.table().newestNs);
                if (over) {
                  one.table().remove(one.row());
                }
                return over;
              });
      if (entry.getValue().isEmpty()) {
        each.remove();
      }
    }
  }

  // ---- the trace that is resolved --------------------------------------------------------------

  private void gather(int trace) {
    memberCount = spans.count(trace);
    if (members.length < memberCount) {
      members = new int[Math.max(memberCount, 2 * members.length)];
      parents = new int[members.length];
    }
    int at = memberCount;
    for (int span = spans.first(trace); span >= 0; span = spans.next(span)) {
      members[--at] = span; // In the order in which they were read, ascending.
    }
    for (int i = 0; i < memberCount; i++) {
      long parent = spans.parentId(members[i]);
      int known = parent == 0 ? NONE : spans.find(trace, parent);
      parents[i] =
          parent == 0
              ? NO_PARENT
              : known < 0 ? NOT_SEEN : Arrays.binarySearch(members, 0, memberCount, known);
    }
  }

  @Override
  public int count() {
    return memberCount;
  }

  @Override
  public long spanId(int i) {
    return spans.spanId(members[i]);
  }

  @Override
  public long parentId(int i) {
    return spans.parentId(members[i]);
  }

  @Override
  public int parent(int i) {
    return parents[i];
  }

  @Override
  public long start(int i) {
    return spans.start(members[i]);
  }

  @Override
  public String run(int i) {
    return spans.labels(members[i]).run();
  }

  @Override
  public String service(int i) {
    return spans.labels(members[i]).service();
  }

  @Override
  public String session(int i) {
    return spans.session(members[i]);
  }

  @Override
  public String lane(int i) {
    return spans.labels(members[i]).lane();
  }

  @Override
  public boolean namesBatch(int i) {
    Coordinates at = spans.places.get(spans.place(members[i]));
    return at.batch() != null || at.trainStep() != null;
  }

  @Override
  public String stage(int i) {
    return spans.stage(members[i]);
  }

  @Override
  public boolean isAlone(int i) {
    return spans.labels(members[i]).alone();
  }

  @Override
  public boolean isWorkOfProcess(int i) {
    Kind kind = spans.kind(members[i]);
    return isAlone(i) && kind != Kind.BATCH && kind != Kind.TASK;
  }
}
