package io.rollscope.store.segment;

import io.rollscope.core.session.SessionSummary;
import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.Origin;
import io.rollscope.otlp.record.Said;
import io.rollscope.otlp.record.SpanRecord;
import io.rollscope.store.hot.HotSpan;
import io.rollscope.store.hot.SpanRow;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.types.pojo.Field;

/** Spans with the columns of {@code spans} (contracts.md 7.5; docs/storage.md). */
final class SpanRows extends RowReader<SpanRow> {
  static final List<Field> COLUMNS =
      List.of(
          text("run"),
          text("batch"),
          whole("train_step"),
          whole("model_step"),
          whole("future_step"),
          text("task"),
          text("task_name"),
          text("session"),
          text("trace_id"),
          text("span_id"),
          text("parent_id"),
          text("kind"),
          text("name"),
          text("stage"),
          whole("start_ns"),
          whole("end_ns"),
          whole("self_ns"),
          text("outcome"),
          text("status"),
          text("source_status"),
          text("reason"),
          text("error_type"),
          text("error_message"),
          text("worker_role"),
          whole("worker_rank"),
          text("host"),
          whole("pid"),
          text("instance"),
          text("lane"),
          whole("attempt"),
          text("clock"),
          map("attributes"),
          text("source"),
          whole("ingest_ns"));

  private final TextColumn[] text = new TextColumn[COLUMNS.size()];
  private final BigIntVector[] whole = new BigIntVector[COLUMNS.size()];
  private MapColumn attributes;
  private final byte[] hex = new byte[32];
  private final List<Attributes> parts = new ArrayList<>();

  SpanRows(BufferAllocator allocator, Iterator<SpanRow> spans) {
    super(allocator, COLUMNS, spans);
  }

  @Override
  void bind(VectorSchemaRoot root) {
    for (int i = 0; i < COLUMNS.size(); i++) {
      var vector = root.getVector(i);
      if (vector instanceof BigIntVector numbers) {
        whole[i] = numbers;
      } else if (vector instanceof MapVector map) {
        attributes = new MapColumn(map, OwnColumns::hold);
      } else {
        text[i] = new TextColumn((org.apache.arrow.vector.VarCharVector) vector);
      }
    }
  }

  /** How many events and links were left out, because they are too long. */
  long cutEvents() {
    return attributes == null ? 0 : attributes.cut();
  }

  @Override
  void fill(int row, SpanRow span) {
    SpanRecord told = span.told();
    Said said = told.said();
    Origin origin = told.origin();
    SessionSummary<HotSpan> facts = span.facts();
    boolean lane = span.key().lane();
    int c = 0;
    text[c++].set(row, span.key().run());
    text[c++].set(row, span.batch());
    set(whole[c++], row, span.trainStep());
    set(whole[c++], row, span.modelStep());
    set(whole[c++], row, span.futureStep());
    text[c++].set(row, or(said.task(), lane ? null : facts.task()));
    text[c++].set(row, or(said.taskName(), lane ? null : facts.taskName()));
    text[c++].set(row, lane ? null : span.key().id());
    hex(told.traceHigh(), 0);
    hex(told.traceLow(), 16);
    text[c++].set(row, hex, 32);
    hex(told.spanId(), 0);
    text[c++].set(row, hex, 16);
    if (told.parentId() == 0) {
      text[c++].setNull(row);
    } else {
      hex(told.parentId(), 0);
      text[c++].set(row, hex, 16);
    }
    text[c++].set(row, told.kind().word());
    text[c++].set(row, told.name());
    text[c++].set(row, span.stage());
    whole[c++].setSafe(row, told.startNs());
    set(whole[c++], row, span.endNs() == Nanos.OPEN ? null : (Long) span.endNs());
    whole[c++].setSafe(row, span.selfNs());
    text[c++].set(row, span.outcome().word());
    text[c++].set(row, said.status());
    text[c++].set(row, said.sourceStatus());
    text[c++].set(row, said.reason());
    text[c++].set(row, told.errorType());
    text[c++].set(row, told.errorMessage());
    text[c++].set(row, or(said.workerRole(), origin.workerRole()));
    set(whole[c++], row, or(said.workerRank(), origin.workerRank()));
    text[c++].set(row, origin.host());
    set(whole[c++], row, origin.pid());
    text[c++].set(row, origin.instance());
    text[c++].set(row, lane ? span.key().id() : said.lane());
    set(whole[c++], row, said.attempt());
    text[c++].set(row, origin.clock());
    parts.clear();
    parts.addAll(span.attributes());
    parts.add(origin.attributes());
    attributes.set(row, parts);
    c++;
    text[c++].set(row, origin.source());
    whole[c].setSafe(row, span.receivedNs());
  }

  private static <T> T or(T a, T b) {
    return a != null ? a : b;
  }

  private void hex(long value, int at) {
    for (int i = 0; i < 16; i++) {
      int digit = (int) (value >>> (60 - 4 * i)) & 15;
      hex[at + i] = (byte) (digit < 10 ? '0' + digit : 'a' + digit - 10);
    }
  }
}
