package io.rollscope.server.api;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.view.LiveReport;
import java.io.IOException;
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

  private final StoreAdmin admin;
  private final LongSupplier clock;
  private final Set<LiveStream> streams = ConcurrentHashMap.newKeySet();
  private long toldVersion = Long.MIN_VALUE;
  private long lastLookNs;
  private volatile boolean closed;

  /**
   * @param clock nanoseconds since the epoch
   */
  public LiveStreams(StoreAdmin admin, LongSupplier clock) {
    this.admin = admin;
    this.clock = clock;
  }

  public int count() {
    return streams.size();
  }

  /** A response that goes on until the reader leaves. */
  HttpResponse open(Call call, String run, ReportRequest request) throws ApiException, IOException {
    if (streams.size() >= MOST || closed) {
      throw ApiException.busy(
          "live streams: " + streams.size() + " (expected: at most " + MOST + ")");
    }
    long version = admin.version();
    LiveStream.Board board = new LiveStream.Board(run, request);
    LiveReport first = report(board);
    HttpResponseWriter writer = HttpResponse.streaming();
    call.context().clearRequestTimeout();
    writer.write(
        ResponseHeaders.builder(HttpStatus.OK)
            .contentType(MediaType.EVENT_STREAM)
            .add(HttpHeaderNames.CACHE_CONTROL, "no-store")
            .build());
    LiveStream stream = new LiveStream(board, writer);
    stream.tell(first, version, clock.getAsLong());
    streams.add(stream);
    var unused = writer.whenComplete().handle((done, failure) -> streams.remove(stream));
    if (closed) {
      stream.close();
    }
    return writer;
  }

  private LiveReport report(LiveStream.Board board) throws IOException {
    return admin.reports(board.run()).live(board.request());
  }

  /** Tells every reader what is new. */
  public synchronized void tick() {
    long now = clock.getAsLong();
    long version = admin.version();
    boolean look = version != toldVersion || now - lastLookNs >= LOOK_ANYWAY_NS;
    Map<LiveStream.Board, LiveReport> reports = new HashMap<>();
    for (LiveStream stream : streams) {
      try {
        if (look) {
          LiveReport known = reports.get(stream.board());
          LiveReport report = known == null ? report(stream.board()) : known;
          reports.put(stream.board(), report);
          stream.tell(report, version, now);
        } else {
          stream.rest(now);
        }
      } catch (IOException | RuntimeException e) {
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
