package io.rollscope.server.api;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponseWriter;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.view.LiveReport;

/**
 * One reader of a live board. It never has more than one event on its way: what changes meanwhile
 * is not queued, it gets the whole board when it has read.
 */
final class LiveStream {
  private static final long HEARTBEAT_NS = 15_000_000_000L;
  private static final long PATIENCE_NS = 120_000_000_000L;
  private static final HttpData HEARTBEAT = HttpData.ofUtf8(": still here\n\n");

  /** What of which run is read. */
  record Board(String run, ReportRequest request) {}

  private final Board board;
  private final HttpResponseWriter writer;
  private LiveReport told;
  private boolean onItsWay;
  private boolean behind;
  private long lastWriteNs;

  LiveStream(Board board, HttpResponseWriter writer) {
    this.board = board;
    this.writer = writer;
  }

  Board board() {
    return board;
  }

  boolean isOpen() {
    return writer.isOpen();
  }

  void close() {
    writer.close();
  }

  /** Tells the reader how the board is now, as far as it does not know. */
  synchronized void tell(LiveReport now, long version, long nowNs) {
    if (onItsWay) {
      behind = true;
      giveUpOn(nowNs);
      return;
    }
    if (told == null || behind) {
      send("snapshot", now, version, nowNs);
    } else {
      LiveDelta delta = LiveDelta.between(told, now);
      if (delta == null) {
        rest(nowNs);
        return;
      }
      send("delta", delta, version, nowNs);
    }
    behind = false;
    told = now;
  }

  /** Nothing is new; keeps the connection alive. */
  synchronized void rest(long nowNs) {
    if (onItsWay) {
      giveUpOn(nowNs);
    } else if (nowNs - lastWriteNs >= HEARTBEAT_NS) {
      write(HEARTBEAT, nowNs);
    }
  }

  private void giveUpOn(long nowNs) {
    if (nowNs - lastWriteNs > PATIENCE_NS) {
      writer.close(new java.io.IOException("reader: stuck (expected: one that reads)"));
    }
  }

  private void send(String event, Object data, long version, long nowNs) {
    String text = "id: " + version + "\nevent: " + event + "\ndata: " + Json.text(data) + "\n\n";
    write(HttpData.ofUtf8(text), nowNs);
  }

  private void write(HttpData data, long nowNs) {
    lastWriteNs = nowNs;
    if (writer.tryWrite(data)) {
      onItsWay = true;
      var unused = writer.whenConsumed().thenRun(this::arrived);
    }
  }

  private synchronized void arrived() {
    onItsWay = false;
  }
}
