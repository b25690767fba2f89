package io.rollscope.sdk;

import java.io.IOException;

/**
 * Brings requests away. Two are there: {@link OtlpTransport} and {@link SpoolTransport}; write a
 * third for anything else, and give it to {@link RollscopeBuilder#transport}.
 *
 * <p>All methods are called by one thread, the SDK's own: an implementation may block, and needs no
 * locks. Waiting, repeating and counting what got lost are the caller's business.
 */
public interface Transport extends AutoCloseable {
  /** The two forms OTLP has. */
  enum Form {
    PROTOBUF,
    /** On one line, without a line end. */
    JSON
  }

  /** In which form it wants requests; asked once. */
  default Form form() {
    return Form.PROTOBUF;
  }

  /**
   * Brings one request away, or says what became of it.
   *
   * @param body an OTLP export request of that signal, in the form asked for
   * @throws IOException when it may work later; the same request comes again after a while
   */
  Sent send(Signal signal, byte[] body) throws IOException, InterruptedException;

  /** Called once, after the last request. */
  @Override
  default void close() throws IOException {}
}
