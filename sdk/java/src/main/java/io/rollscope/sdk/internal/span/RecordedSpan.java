package io.rollscope.sdk.internal.span;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;

/**
 * A span, OpenTelemetry's and ours. It is put into the buffer when it begins. What the sender finds
 * ended when it comes to it is sent whole; what it finds open is told as begun, and the span gets
 * into the buffer again when it ends.
 *
 * <p>Thread-safe, and without a lock for the thread that began it: only that one writes to {@code
 * attributes}, others have a list of their own.
 */
public final class RecordedSpan implements Span {
  /** In the buffer, open as far as anybody knows. */
  private static final int WAITS = 0;

  /** Told as open; must be told again when it ends. */
  private static final int TOLD = 1;

  /** There was no room for the news that it began. */
  private static final int NOT_WAITING = 2;

  private static final int ENDED = 3;
  private static final AtomicIntegerFieldUpdater<RecordedSpan> STATE =
      AtomicIntegerFieldUpdater.newUpdater(RecordedSpan.class, "state");

  private final Book book;
  private final SpanOrigin origin;
  private final long startNs;
  private final long ticksToWall;
  private final AttributeList attributes;
  private final Thread thread = Thread.currentThread();
  private AttributeList attributesOfOthers;
  private String name;
  private Extras extras;
  private long endNs;
  private volatile int state = WAITS;
  private boolean countedOpen;
  private Attachment attachment;

  /** Begins now if no time is given. */
  RecordedSpan(Book book, SpanOrigin origin, String name, AttributeList attributes, long startNs) {
    this.book = book;
    this.origin = origin;
    this.name = name;
    this.attributes = attributes;
    ticksToWall = book.clock.offset();
    this.startNs = startNs > 0 ? startNs : book.clock.ticksNs() + ticksToWall;
  }

  /** Puts it into the buffer; the last thing before others get to see it. */
  RecordedSpan begin() {
    if (!book.began(this)) {
      state = NOT_WAITING;
    }
    return this;
  }

  public SpanOrigin origin() {
    return origin;
  }

  public long startNs() {
    return startNs;
  }

  /** Of a span that has ended. */
  public long endNs() {
    return endNs;
  }

  public synchronized String name() {
    return name;
  }

  /** Those so far; of an open span, more may be added while they are read. */
  public synchronized AttributeList attributes() {
    return attributesOfOthers == null ? attributes : attributes.and(attributesOfOthers);
  }

  /** Those so far; null if it has none. */
  public synchronized Extras extras() {
    return extras == null ? null : extras.copy();
  }

  /**
   * For the sender, which has it out of the buffer: whether it has ended. If it has not, it counts
   * as told from now on.
   */
  public boolean isEndedOrElseTold() {
    return !STATE.compareAndSet(this, WAITS, TOLD);
  }

  /** Whether the sender told that it is open. */
  public boolean isCountedOpen() {
    return countedOpen;
  }

  /** Gives back the room its long texts take; for a span that has ended and is dealt with. */
  public synchronized void release() {
    attributes.release(book.values.budget());
    if (attributesOfOthers != null) {
      attributesOfOthers.release(book.values.budget());
    }
    if (extras != null) {
      extras.release(book.values.budget());
    }
  }

  // What callers set ------------------------------------------------------------------------

  @Override
  public Span setAttribute(String key, String value) {
    if (Thread.currentThread() != thread) {
      return set(key, value);
    }
    if (mayBeSet(key)) {
      attributes.putText(key, value, book.values);
    }
    return this;
  }

  @Override
  public Span setAttribute(String key, long value) {
    return setSmall(key, value);
  }

  @Override
  public Span setAttribute(String key, double value) {
    return setSmall(key, value);
  }

  @Override
  public Span setAttribute(String key, boolean value) {
    return setSmall(key, value);
  }

  private Span setSmall(String key, Object value) {
    if (Thread.currentThread() != thread) {
      return set(key, value);
    }
    if (mayBeSet(key)) {
      attributes.putSmall(key, value);
    }
    return this;
  }

  @Override
  public <T> Span setAttribute(AttributeKey<T> key, T value) {
    return key == null ? this : set(key.getKey(), OtelValues.of(value));
  }

  /** Anything; see {@link Values}. Its own text is asked for before the span is locked. */
  public Span set(String key, Object value) {
    if (!mayBeSet(key) || book.values.isUnwanted(key)) {
      return this;
    }
    Object own = book.values.of(key, value);
    if (own == null) {
      return this;
    }
    boolean shortened = book.values.isCut(key, value, own);
    if (Thread.currentThread() == thread) {
      attributes.putOwn(key, own, shortened, book.values.budget());
    } else {
      setFromElsewhere(key, own, shortened);
    }
    return this;
  }

  private synchronized void setFromElsewhere(String key, Object own, boolean shortened) {
    if (attributesOfOthers == null) {
      attributesOfOthers = new AttributeList();
    }
    attributesOfOthers.putOwn(key, own, shortened, book.values.budget());
  }

  /** What cannot be set is said once. */
  private boolean mayBeSet(String key) {
    if (key == null || key.isEmpty()) {
      book.misuse("attribute of " + name, key == null ? null : "\"\"", "a name");
      return false;
    }
    if (state == ENDED) {
      book.misuse("attribute of " + name, key, "to be set before the end");
      return false;
    }
    return true;
  }

  @Override
  public Span addEvent(String event, Attributes attributes) {
    return isRecording() ? addEvent(event, attributes, nowNs(), TimeUnit.NANOSECONDS) : this;
  }

  @Override
  public Span addEvent(String event, Attributes attributes, long time, TimeUnit unit) {
    if (event != null) {
      AttributeList own = OtelValues.list(attributes, book.values);
      long timeNs = unit == null ? nowNs() : unit.toNanos(time);
      change(e -> e.add(new Moment(event, timeNs, own)));
    }
    return this;
  }

  @Override
  public Span addLink(SpanContext target, Attributes attributes) {
    if (target != null && target.isValid()) {
      AttributeList own = OtelValues.list(attributes, book.values);
      change(e -> e.add(new Link(target, own)));
    }
    return this;
  }

  @Override
  public Span setStatus(StatusCode code, String text) {
    if (code != null) {
      change(e -> e.setStatus(code, text));
    }
    return this;
  }

  @Override
  public Span recordException(Throwable thrown, Attributes more) {
    if (thrown != null) {
      AttributeList own = OtelValues.list(more, book.values);
      Failures.describe(thrown, book.stackTraces, own, book.values);
      long timeNs = nowNs();
      change(e -> e.add(new Moment("exception", timeNs, own)));
    }
    return this;
  }

  /** It failed, or was cancelled: the one way to say so for everything this SDK makes. */
  public void fail(Throwable thrown) {
    Throwable cause = Failures.unwrapped(thrown);
    setAttribute("error.type", Failures.type(cause));
    setAttribute("error.message", Failures.message(cause));
    setStatus(StatusCode.ERROR, "");
    recordException(cause, Attributes.empty());
  }

  private synchronized void change(Consumer<Extras> change) {
    if (state != ENDED) {
      extras = extras == null ? new Extras() : extras;
      change.accept(extras);
    }
  }

  /** What the builder collected before there was a span. */
  void adopt(Extras extras) {
    this.extras = extras;
  }

  @Override
  public synchronized Span updateName(String name) {
    if (state != ENDED && name != null) {
      this.name = name;
    }
    return this;
  }

  private long nowNs() {
    return book.clock.ticksNs() + ticksToWall;
  }

  @Override
  public void end() {
    end(0);
  }

  @Override
  public void end(long time, TimeUnit unit) {
    end(unit == null ? 0 : unit.toNanos(time));
  }

  private void end(long atNs) {
    int before = state;
    if (before == ENDED) {
      return;
    }
    endNs = atNs > 0 ? atNs : nowNs();
    while (!STATE.compareAndSet(this, before, ENDED)) {
      before = state;
      if (before == ENDED) {
        return;
      }
    }
    if (before != WAITS) {
      countedOpen = before == TOLD;
      book.ended(this);
    }
  }

  @Override
  public boolean isRecording() {
    return state != ENDED;
  }

  @Override
  public SpanContext getSpanContext() {
    return origin.context();
  }

  // Being the current span ------------------------------------------------------------------

  /** Makes a context with it the current one of this thread. */
  public void attach(Context context) {
    attachment = new Attachment(context);
  }

  /** It is not the current one any more. */
  public void detach() {
    if (attachment != null) {
      attachment.end();
    }
  }

  /**
   * The thread that began it; null once it has moved on, as with {@code traceAsync}. Whether it did
   * is read without a lock, long after it happened.
   */
  public Thread worksIn() {
    return attachment != null && attachment.isOver() ? null : thread;
  }

  Attachment attachment() {
    return attachment;
  }
}
