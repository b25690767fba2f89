package io.rollscope.otlp;

/** Turns OTLP/JSON export requests into protobuf, so that everything behind sees one form. */
public final class JsonRequests {
  private JsonRequests() {}

  public static byte[] toProtobuf(Signal signal, byte[] json) throws BadRequestException {
    throw new UnsupportedOperationException("not yet");
  }
}
