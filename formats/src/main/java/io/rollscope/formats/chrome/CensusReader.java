package io.rollscope.formats.chrome;

import io.rollscope.core.steps.BarrierSpans.BarrierSpan;
import io.rollscope.core.table.Dictionary;
import io.rollscope.formats.folder.LineSource;
import io.rollscope.formats.scan.BadLineException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The first pass, on one thread. */
final class CensusReader implements LineSource.Reader {
  private static final int MAX_BARRIERS = 1 << 20;

  private record NameLine(SourceNames.Named whom, String name) {}

  private final Census census;
  private final boolean withBarriers;
  private final LocalThreads threads;
  private final EventLine event = new EventLine();
  private final Micros time = new Micros();

  private int file;
  private final BitSet inPiece = new BitSet();
  private final List<NameLine> nameLines = new ArrayList<>();

  /** Kept until the pass is over: the order in which these come does not matter. */
  private final List<FlowIds> flowsOfThread = new ArrayList<>();

  private final Map<ProcessKey, FlowIds> flows = new HashMap<>();
  private final Map<ProcessKey, List<BarrierSpan>> barriers = new HashMap<>();
  private final Dictionary spanNames = new Dictionary();
  private int barrierCount;

  CensusReader(Census census, LocalThreads threads, boolean withBarriers) {
    this.census = census;
    this.threads = threads;
    this.withBarriers = withBarriers;
  }

  @Override
  public void begin(int file) {
    this.file = file;
    inPiece.clear();
    nameLines.clear();
  }

  @Override
  public void line(byte[] buffer, int from, int to, long offset) throws BadLineException {
    event.read(buffer, from, to);
    Metadata metadata = Metadata.of(event);
    if (metadata != null) {
      noteName(metadata);
      return;
    }
    int thread = threads.of(event);
    inPiece.set(thread);
    if (event.isFlow() && event.isScalar(event.id)) {
      flowsOf(thread).add(buffer, event.id);
    }
    if (event.isScalar(event.correlation)) {
      flowsOf(thread).add(buffer, event.correlation);
    }
    if (withBarriers && event.step.isThere() && event.phase() == 'X') {
      noteBarrier(thread);
    }
  }

  private void noteName(Metadata metadata) throws BadLineException {
    if (metadata.isName() && event.isText(event.given)) {
      ThreadKey key = LocalThreads.key(event);
      SourceId tid = metadata == Metadata.THREAD_NAME ? key.tid() : null;
      nameLines.add(
          new NameLine(new SourceNames.Named(file, key.process(), tid), event.text(event.given)));
    }
  }

  private FlowIds flowsOf(int thread) {
    while (flowsOfThread.size() <= thread) {
      flowsOfThread.add(null);
    }
    FlowIds ids = flowsOfThread.get(thread);
    if (ids == null) {
      ProcessKey worker = Census.workerOf(threads.get(thread).process());
      ids = flows.computeIfAbsent(worker, w -> new FlowIds());
      flowsOfThread.set(thread, ids);
    }
    return ids;
  }

  private void noteBarrier(int thread) {
    byte[] b = event.bytes;
    ProcessKey process = threads.get(thread).process();
    boolean usable =
        process.rank().number() != null
            && event.ts.isThere()
            && SourceId.isPlainInteger(b, event.step.from, event.step.to)
            && barrierCount < MAX_BARRIERS;
    time.read(b, event.ts);
    if (!usable || !time.isUsual()) {
      return;
    }
    barrierCount++;
    long start = time.nanos();
    time.read(b, event.dur);
    long end = start + (time.isUsual() ? Math.max(0, time.nanos()) : 0);
    int name = spanNames.intern(b, event.name.from, event.name.to - event.name.from);
    long step = SourceId.parsePlain(b, event.step.from, event.step.to);
    barriers
        .computeIfAbsent(process, p -> new ArrayList<>())
        .add(new BarrierSpan(spanNames.word(name), step, start, end));
  }

  @Override
  public void end() {
    // Everything is taken in order.
  }

  @Override
  public void deliver() {
    inPiece.stream().forEach(thread -> census.seen(threads.get(thread), file));
    nameLines.forEach(line -> census.names().add(line.whom(), line.name()));
  }

  /** Hands over what was kept until now. */
  void finish() {
    flows.forEach(census::addFlows);
    barriers.forEach((process, spans) -> spans.forEach(s -> census.addBarrier(process, s)));
  }
}
