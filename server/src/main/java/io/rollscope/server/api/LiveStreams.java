package io.rollscope.server.api;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import io.rollscope.core.view.LiveReport;
import io.rollscope.store.LiveQuery;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All readers of live boards. {@link #tick} is called every second; readers with the same question
 * share the work of answering it.
 */
public final class LiveStreams implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveStreams.class);
  static final int MOST = 256;

  /** Work becomes overdue by time alone, so the board is looked at even when nothing comes in. */
  private static final long LOOK_ANYWAY_NS = 5_000_000_000L;

  private final Questions questions;
  private final LongSupplier clock;
  private final Set<LiveStream> streams = ConcurrentHashMap.newKeySet();
  private long toldVersion = Long.MIN_VALUE;
  private long lastLookNs;
  private volatile boolean closed;

  /**
   * @param clock nanoseconds since the epoch
   */
  public LiveStreams(Questions questions, LongSupplier clock) {
    this.questions = questions;
    this.clock = clock;
  }

  public int count() {
    return streams.size();
  }

  /** A response that goes on until the reader leaves. */
  HttpResponse open(Call call, LiveQuery query) throws ApiException {
    if (streams.size() >= MOST || closed) {
      throw ApiException.busy(
          "live streams: " + streams.size() + " (expected: at most " + MOST + ")");
    }
    long version = questions.version();
    LiveReport first = questions.live(query);
    HttpResponseWriter writer = HttpResponse.streaming();
    call.context().clearRequestTimeout();
    writer.write(
        ResponseHeaders.builder(HttpStatus.OK)
            .contentType(MediaType.EVENT_STREAM)
            .add(HttpHeaderNames.CACHE_CONTROL, "no-store")
            .build());
    LiveStream stream = new LiveStream(query, writer);
    stream.tell(first, version, clock.getAsLong());
    streams.add(stream);
    var unused = writer.whenComplete().handle((done, failure) -> streams.remove(stream));
    if (closed) {
      stream.close();
    }
    return writer;
  }

  /** Tells every reader what is new. */
  public synchronized void tick() {
    long now = clock.getAsLong();
    long version = questions.version();
    boolean look = version != toldVersion || now - lastLookNs >= LOOK_ANYWAY_NS;
    Map<LiveQuery, LiveReport> reports = new HashMap<>();
    for (LiveStream stream : streams) {
      try {
        if (look) {
          stream.tell(reports.computeIfAbsent(stream.query(), questions::live), version, now);
        } else {
          stream.rest(now);
        }
      } catch (RuntimeException e) {
        LOG.warn("A live stream failed", e);
        stream.close();
      }
    }
    if (look) {
      toldVersion = version;
      lastLookNs = now;
    }
  }

  @Override
  public void close() {
    closed = true;
    streams.forEach(LiveStream::close);
  }
}
