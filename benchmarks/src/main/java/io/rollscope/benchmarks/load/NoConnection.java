package io.rollscope.benchmarks.load;

import java.nio.ByteBuffer;

/** Sends nothing: shows how many spans the generator itself can make. */
final class NoConnection implements Connection {
  private static final Answer ANSWER = new Answer(200, 0, new byte[0]);

  @Override
  public byte[] head(SpanFormat format, int length) {
    return new byte[0];
  }

  @Override
  public Answer send(ByteBuffer request) {
    return ANSWER;
  }

  @Override
  public void close() {}
}
