package io.rollscope.store;

import io.rollscope.otlp.BadRequestException;
import io.rollscope.otlp.RequestDecoder;
import io.rollscope.otlp.record.Request;
import io.rollscope.store.hot.HotStore;
import io.rollscope.store.journal.Frame;
import io.rollscope.store.journal.FrameReceiver;
import io.rollscope.store.journal.Position;
import io.rollscope.store.segment.Manifest;
import java.util.Map;

/** Brings back what the journal holds, when the store is opened. */
final class Replay implements FrameReceiver {
  private static final String UNREADABLE = "a frame of the journal that cannot be decoded";

  private final HotStore hot;
  private final Position pointsSealed;
  private final Map<String, Long> tailedOffsets;
  private Position last = new Position(0, 0);

  Replay(HotStore hot, Manifest manifest, Map<String, Long> tailedOffsets) {
    this.hot = hot;
    this.pointsSealed = manifest.points();
    this.tailedOffsets = tailedOffsets;
  }

  @Override
  public void receive(Position position, Frame frame) {
    last = position;
    FrameHead.remember(frame.source(), tailedOffsets);
    byte[] bytes = frame.payload();
    if (bytes.length <= Incoming.HEAD) {
      return; // Only an offset.
    }
    try {
      long receivedNs = FrameHead.receivedNs(bytes);
      Request request =
          RequestDecoder.decode(FrameHead.signal(bytes), bytes, Incoming.HEAD, receivedNs);
      if (position.compareTo(pointsSealed) <= 0) {
        hot.knows(request.points(), receivedNs, position);
        request = request.withoutPoints();
      }
      hot.apply(request, receivedNs, position);
    } catch (BadRequestException | IndexOutOfBoundsException e) {
      hot.counts().refused(UNREADABLE, 1);
    }
  }

  /** Nobody could be heard while the store was closed. */
  void finish(long nowNs) {
    hot.excuseSilence(nowNs);
  }

  Position last() {
    return last;
  }
}
