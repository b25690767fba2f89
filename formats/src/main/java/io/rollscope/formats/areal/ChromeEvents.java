package io.rollscope.formats.areal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.rollscope.formats.areal.ArealEvent.Arg;
import io.rollscope.formats.areal.ArealEvent.TracedThread;
import io.rollscope.formats.json.JsonText;
import java.util.List;

/** The perf events of one process as AReaL spells them: a Chrome trace event on each line. */
final class ChromeEvents {
  private static final byte[] NAME = "{\"name\": ".getBytes(US_ASCII);
  private static final byte[] COMPLETE = ", \"ph\": \"X\", \"ts\": ".getBytes(US_ASCII);
  private static final byte[] INSTANT = ", \"ph\": \"i\", \"ts\": ".getBytes(US_ASCII);
  private static final byte[] METADATA = ", \"ph\": \"M\"".getBytes(US_ASCII);
  private static final byte[] DURATION = ", \"dur\": ".getBytes(US_ASCII);
  private static final byte[] PID = ", \"pid\": ".getBytes(US_ASCII);
  private static final byte[] TID = ", \"tid\": ".getBytes(US_ASCII);
  private static final byte[] CATEGORY = ", \"cat\": ".getBytes(US_ASCII);
  private static final byte[] ARGS = ", \"args\": {".getBytes(US_ASCII);
  private static final byte[] EXCEPTION = "\"exception\": ".getBytes(US_ASCII);
  private static final byte[] RANK = "\"rank\": ".getBytes(US_ASCII);
  private static final byte[] ROLE = ", \"role\": ".getBytes(US_ASCII);
  private static final byte[] ARGS_NAME = ", \"args\": {\"name\": ".getBytes(US_ASCII);
  private static final byte[] SORT_INDEX = ", \"args\": {\"sort_index\": ".getBytes(US_ASCII);
  private static final byte[] THREAD_SCOPE = ", \"s\": \"t\"}".getBytes(US_ASCII);
  private static final byte[] COMMA = ", ".getBytes(US_ASCII);
  private static final byte[] COLON = ": ".getBytes(US_ASCII);
  private static final long MICROSECOND = 1000;

  private final ArealProcess process;

  ChromeEvents(ArealProcess process) {
    this.process = process;
  }

  void append(JsonText line, ArealEvent.Scope scope) {
    line.raw(NAME).string(scope.name()).raw(COMPLETE).number(sinceOrigin(scope.startNs()));
    // A duration of 0 would be dropped by viewers.
    line.raw(DURATION).number(Math.max(1, (scope.endNs() - scope.startNs()) / MICROSECOND));
    appendPlace(line, scope.thread(), scope.category());
    appendArgs(line, scope.args(), scope.exception());
    line.raw('}');
  }

  void append(JsonText line, ArealEvent.Instant instant) {
    line.raw(NAME).string(instant.name()).raw(INSTANT).number(sinceOrigin(instant.timeNs()));
    appendPlace(line, instant.thread(), instant.category());
    appendArgs(line, instant.args(), null);
    line.raw(THREAD_SCOPE);
  }

  void appendThreadName(JsonText line, TracedThread thread) {
    line.raw(NAME).string("thread_name").raw(METADATA);
    line.raw(PID).number(process.pid()).raw(TID).number(thread.id());
    line.raw(ARGS_NAME).string(thread.name()).raw('}').raw('}');
  }

  void appendProcessName(JsonText line) {
    String rank = "Rank " + process.rank() + ", Process";
    String name = process.role() == null ? rank : "[" + process.role() + "] " + rank;
    line.raw(NAME).string("process_name").raw(METADATA).raw(PID).number(process.pid());
    line.raw(ARGS_NAME).string(name).raw('}').raw('}');
  }

  void appendProcessOrder(JsonText line) {
    line.raw(NAME).string("process_sort_index").raw(METADATA).raw(PID).number(process.pid());
    line.raw(SORT_INDEX).number(process.rank()).raw('}').raw('}');
  }

  private void appendPlace(JsonText line, TracedThread thread, String category) {
    line.raw(PID).number(process.pid()).raw(TID).number(thread.id());
    line.raw(CATEGORY).string(category);
  }

  private void appendArgs(JsonText line, List<Arg> args, String exception) {
    line.raw(ARGS);
    for (Arg arg : args) {
      line.string(arg.name()).raw(COLON);
      if (arg.value() instanceof Long number) {
        line.number(number);
      } else {
        line.string((String) arg.value());
      }
      line.raw(COMMA);
    }
    if (exception != null) {
      line.raw(EXCEPTION).string(exception).raw(COMMA);
    }
    line.raw(RANK).number(process.rank());
    if (process.role() != null) {
      line.raw(ROLE).string(process.role());
    }
    line.raw('}');
  }

  private long sinceOrigin(long timeNs) {
    return Math.max(0, timeNs - process.clockOriginNs()) / MICROSECOND;
  }
}
