package io.rollscope.store.segment;

import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.session.SessionSummary;
import io.rollscope.core.time.Nanos;
import io.rollscope.store.hot.HotSpan;
import io.rollscope.store.hot.SessionRow;
import java.util.Iterator;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.types.pojo.Field;

/** Sessions with the columns of {@code sessions} (docs/storage.md), and which part it is. */
final class SessionRows extends RowReader<SessionRow> {
  static final List<Field> COLUMNS =
      List.of(
          text("run"),
          text("session"),
          text("trace_id"),
          text("batch"),
          whole("train_step"),
          whole("model_step"),
          whole("future_step"),
          text("task"),
          text("task_name"),
          text("status"),
          text("source_status"),
          text("reason"),
          text("worker_role"),
          whole("worker_rank"),
          whole("start_ns"),
          whole("end_ns"),
          flag("finalised"),
          whole("span_count"),
          whole("open_count"),
          whole("error_count"),
          whole("work_start_ns"),
          whole("work_end_ns"),
          whole("wall_ns"),
          whole("queue_ns"),
          whole("gap_ns"),
          whole("barrier_ns"),
          whole("unaccounted_ns"),
          whole("outside_ns"),
          text("clock"),
          whole("verdict_ns"),
          whole("part"),
          counts("counters"),
          whole("work_ns"),
          whole("own_ns"),
          text("inferred_group"),
          times("candidates"),
          times("restated"),
          number("reward"),
          whole("input_tokens"),
          whole("output_tokens"),
          whole("reward_ns"),
          whole("input_tokens_ns"),
          whole("output_tokens_ns"));

  private final TextColumn[] text = new TextColumn[COLUMNS.size()];
  private final BigIntVector[] whole = new BigIntVector[COLUMNS.size()];
  private final SpanTimesColumn[] times = new SpanTimesColumn[COLUMNS.size()];
  private BitVector finalised;
  private CountersColumn counters;
  private Float8Vector reward;

  SessionRows(BufferAllocator allocator, Iterator<SessionRow> rows) {
    super(allocator, COLUMNS, rows);
  }

  @Override
  void bind(VectorSchemaRoot root) {
    for (int i = 0; i < COLUMNS.size(); i++) {
      var vector = root.getVector(i);
      if (vector instanceof BigIntVector numbers) {
        whole[i] = numbers;
      } else if (vector instanceof Float8Vector numbers) {
        reward = numbers;
      } else if (vector instanceof BitVector bits) {
        finalised = bits;
      } else if (vector instanceof MapVector map) {
        counters = new CountersColumn(map);
      } else if (vector instanceof ListVector list) {
        times[i] = new SpanTimesColumn(list);
      } else {
        text[i] = new TextColumn((VarCharVector) vector);
      }
    }
  }

  @Override
  void fill(int row, SessionRow session) {
    SessionSummary<HotSpan> facts = session.facts();
    int c = 0;
    text[c++].set(row, session.key().run());
    text[c++].set(row, session.key().id());
    text[c++].set(row, session.traceId());
    text[c++].set(row, facts.batch());
    set(whole[c++], row, facts.trainStep());
    set(whole[c++], row, facts.modelStep());
    set(whole[c++], row, facts.futureStep());
    text[c++].set(row, facts.task());
    text[c++].set(row, facts.taskName());
    text[c++].set(row, session.status().word());
    text[c++].set(row, facts.sourceStatus());
    text[c++].set(row, facts.reason());
    text[c++].set(row, facts.worker().role());
    set(whole[c++], row, facts.worker().rank());
    whole[c++].setSafe(row, session.startNs());
    whole[c++].setSafe(row, session.endNs());
    finalised.setSafe(row, session.finalised() ? 1 : 0);
    c++;
    whole[c++].setSafe(row, session.spanCount());
    whole[c++].setSafe(row, session.openCount());
    whole[c++].setSafe(row, session.errorCount());
    set(whole[c++], row, known(session.workStartNs()));
    set(whole[c++], row, known(session.workEndNs()));
    whole[c++].setSafe(row, session.wallNs());
    whole[c++].setSafe(row, session.queueNs());
    whole[c++].setSafe(row, session.gapNs());
    whole[c++].setSafe(row, session.barrierNs());
    whole[c++].setSafe(row, session.unaccountedNs());
    whole[c++].setSafe(row, session.outsideNs());
    text[c++].set(row, session.clock());
    set(whole[c++], row, known(session.verdictNs()));
    whole[c++].setSafe(row, session.part());
    counters.set(row, session.counters());
    c++;
    whole[c++].setSafe(row, session.workNs());
    whole[c++].setSafe(row, session.ownNs());
    text[c++].set(row, session.inferredGroup());
    times[c++].set(row, session.candidates());
    times[c++].set(row, session.restated());
    RewardAndTokens got = facts.rewardAndTokens();
    set(reward, row, got.reward());
    c++;
    set(whole[c++], row, got.inputTokens());
    set(whole[c++], row, got.outputTokens());
    set(whole[c++], row, known(session.lateFacts().rewardNs()));
    set(whole[c++], row, known(session.lateFacts().inputTokensNs()));
    set(whole[c], row, known(session.lateFacts().outputTokensNs()));
  }

  private static Long known(long value) {
    return value == Nanos.UNKNOWN ? null : (Long) value;
  }
}
