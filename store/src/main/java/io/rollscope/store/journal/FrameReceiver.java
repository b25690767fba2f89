package io.rollscope.store.journal;

import java.io.IOException;

/** Gets every intact frame while a journal is opened, in the order of appending. */
@FunctionalInterface
public interface FrameReceiver {
  void receive(Position position, Frame frame) throws IOException;
}
