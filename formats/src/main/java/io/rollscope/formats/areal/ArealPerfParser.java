package io.rollscope.formats.areal;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Worker;
import io.rollscope.core.steps.BarrierSpans.BarrierSpan;
import io.rollscope.core.table.Chunk;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.time.Nanos;
import io.rollscope.formats.folder.LineParser;
import io.rollscope.formats.folder.RunData;
import io.rollscope.formats.folder.Runs;
import io.rollscope.formats.folder.TraceFile;
import io.rollscope.formats.scan.BadLineException;
import io.rollscope.formats.scan.JsonScanner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads perf events for analysis: each thread of each process is a lane, complete events are spans,
 * instants are points; metadata and flow arrows say nothing about time. Times stay relative to the
 * start of their process. The converter has its own reader, which keeps everything.
 */
final class ArealPerfParser implements LineParser {
  private static final double LIMIT_US = 4e15;

  private record Lane(Worker process, String pid, String tid) {}

  private record StepSpan(Worker process, BarrierSpan span) {}

  private record TaskStart(Worker process, String task, long startNs) {}

  private final Chunk.Words words = new Chunk.Words();
  private final Chunk chunk = new Chunk(words);
  private final JsonScanner scanner = new JsonScanner();
  private final Map<Lane, Integer> lanes = new HashMap<>();
  private final List<StepSpan> stepSpans = new ArrayList<>();
  private final List<TaskStart> taskStarts = new ArrayList<>();
  private TraceFile file;

  private String name;
  private String phase;
  private double ts;
  private double duration;
  private String pid;
  private String tid;
  private Long rank;
  private String role;
  private Long step;
  private String task;
  private String exception;

  @Override
  public void begin(TraceFile file) {
    this.file = file;
  }

  @Override
  public void deliver(Runs runs) {
    RunData run = runs.run(file.run());
    run.table().append(chunk, file.number());
    chunk.clear();
    stepSpans.forEach(s -> run.barrierSpans().add(s.process(), s.span()));
    stepSpans.clear();
    taskStarts.forEach(t -> run.barrierSpans().taskStarted(t.process(), t.task(), t.startNs()));
    taskStarts.clear();
  }

  @Override
  public void line(byte[] b, int from, int to, long offset) throws BadLineException {
    name = phase = pid = tid = role = task = exception = null;
    rank = step = null;
    ts = duration = Double.NaN;
    scanner.open(b, from, to);
    scanner.beginObject();
    while (scanner.nextKey()) {
      if (!scanner.nullValue()) {
        field(scanner.key());
      }
    }
    scanner.finish();
    if (phase == null || name == null) {
      throw new BadLineException(
          "no " + (phase == null ? "ph" : "name") + " (expected: a Chrome trace event)");
    }
    switch (phase) {
      case "X" -> addSpan(offset);
      case "i", "I" -> add(RowKind.POINT, Outcome.OK, time(), Nanos.UNKNOWN, offset);
      case "B" -> add(RowKind.START, Outcome.OPEN, time(), Nanos.UNKNOWN, offset);
      case "E" -> add(RowKind.END, Outcome.OK, time(), Nanos.UNKNOWN, offset);
      default -> {}
    }
  }

  private void field(String key) throws BadLineException {
    switch (key) {
      case "name" -> name = scanner.string(key);
      case "ph" -> phase = scanner.string(key);
      case "ts" -> ts = scanner.number(key);
      case "dur" -> duration = scanner.number(key);
      case "pid" -> pid = scanner.scalar(key);
      case "tid" -> tid = scanner.scalar(key);
      case "args" -> readArguments();
      default -> scanner.skip();
    }
  }

  private void readArguments() throws BadLineException {
    scanner.beginObject("args");
    while (scanner.nextKey()) {
      String key = scanner.key();
      char c = scanner.peek();
      boolean number = c == '-' || (c >= '0' && c <= '9');
      boolean text = c == '"';
      if (key.equals("rank") && (number || text)) {
        rank = asRank(scanner.scalar(key));
      } else if (key.equals("role") && text) {
        String given = scanner.string(key).strip();
        role = given.isEmpty() ? null : given;
      } else if (key.equals("global_step") && number) {
        step = scanner.integer(key);
      } else if (key.equals("task_id") && (number || text)) {
        task = scanner.scalar(key);
      } else if (key.equals("exception") && text) {
        exception = scanner.string(key);
      } else {
        scanner.skip();
      }
    }
  }

  private static Long asRank(String text) {
    try {
      double rank = Double.parseDouble(text.strip());
      return Double.isFinite(rank) ? (long) rank : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private void addSpan(long offset) throws BadLineException {
    long start = time();
    if (Double.isNaN(duration)) {
      throw new BadLineException("no dur (expected: ts and dur of a complete event)");
    }
    long end = start + Math.max(0, nanos("dur", duration));
    boolean failed = exception != null;
    add(RowKind.SPAN, failed ? Outcome.ERROR : Outcome.OK, start, end, offset);
    Worker process = new Worker(role, rank);
    if (step != null) {
      stepSpans.add(new StepSpan(process, new BarrierSpan(name, step, start, end)));
    }
    if (task != null) {
      taskStarts.add(new TaskStart(process, task, start));
    }
  }

  private long time() throws BadLineException {
    if (Double.isNaN(ts)) {
      throw new BadLineException("no ts (expected: microseconds)");
    }
    return nanos("ts", ts);
  }

  private static long nanos(String field, double micros) throws BadLineException {
    if (Math.abs(micros) > LIMIT_US) {
      throw BadLineException.expected(
          field, Double.toString(micros), "microseconds below 126 years");
    }
    return Math.round(micros * 1000);
  }

  private void add(int form, Outcome outcome, long time, long extent, long offset) {
    Worker process = new Worker(role, rank);
    int lane = lanes.computeIfAbsent(new Lane(process, pid, tid), this::laneNumber);
    int at =
        words.coordinates.intern(
            new Coordinates(null, step, null, null, null, null, process, null));
    int note = exception == null ? -1 : words.notes.intern(exception);
    int id = words.names.intern(new SpanName(name, name));
    chunk.add(lane, RowKind.of(form, outcome, Kind.OP), id, time, extent, at, note, offset);
  }

  private int laneNumber(Lane lane) {
    String process = lane.process().label() == null ? "unknown rank" : lane.process().label();
    return words.lane(process + " process " + lane.pid() + " thread " + lane.tid(), true);
  }
}
