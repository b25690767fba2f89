package io.rollscope.benchmarks.load;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The requests of one connection, one after the other. Nine batches of any size hold whole
 * sessions: such a set is taken from the numbers that all connections share, and few sets are
 * encoded, because only values that repeat in life too stay the same in them.
 */
final class BodyStream {
  private static final int SETS = 3;

  private final SpanFormat format;
  private final LoadOptions options;
  private final AtomicLong taken;
  private final SpanValues values;
  private final Body[][] sets = new Body[SETS][SessionSpan.COUNT];

  private int set = SETS - 1;
  private int batch = SessionSpan.COUNT - 1;
  private long firstSession;
  private long nowNs;

  /**
   * Encodes the sets.
   *
   * @param taken sets taken so far, by all connections
   */
  BodyStream(LoadOptions options, Connection connection, AtomicLong taken, int number) {
    this.format = SpanFormat.of(options.format());
    this.options = options;
    this.taken = taken;
    this.values = new SpanValues(options.seed(), options.calendar());
    SplittableRandom random = new SplittableRandom(number);
    for (Body[] bodies : sets) {
      List<SpanDraft> drafts = drafts(random);
      for (int i = 0; i < bodies.length; i++) {
        List<SpanDraft> own = drafts.subList(i * options.batch(), (i + 1) * options.batch());
        Draft draft = format.encode(options.run(), own);
        bodies[i] = new Body(connection.head(format, draft.bytes().length), draft);
      }
    }
  }

  /** The spans of a set. */
  private List<SpanDraft> drafts(SplittableRandom random) {
    List<SpanDraft> drafts = new ArrayList<>();
    SpanDraft before = null;
    for (int i = 0; i < SessionSpan.COUNT * options.batch(); i++) {
      SessionSpan span = SessionSpan.of(i % SessionSpan.COUNT);
      before = span == SessionSpan.SESSION ? null : before;
      before = SpanDraft.draw(span, before, options.varied(), random);
      drafts.add(before);
    }
    return drafts;
  }

  /** The next request, or null when there are as many as wanted. */
  ByteBuffer next() {
    if (++batch == SessionSpan.COUNT) {
      long number = taken.getAndIncrement();
      if (number >= options.sets()) {
        return null;
      }
      batch = 0;
      set = (set + 1) % SETS;
      firstSession = number * options.batch();
      nowNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    }
    Body body = sets[set][batch];
    for (int i = 0; i < options.batch(); i++) {
      int number = batch * options.batch() + i;
      SessionSpan span = SessionSpan.of(number % SessionSpan.COUNT);
      values.take(firstSession + number / SessionSpan.COUNT, span, nowNs);
      body.fill(format, i, values);
    }
    return body.bytes();
  }
}
