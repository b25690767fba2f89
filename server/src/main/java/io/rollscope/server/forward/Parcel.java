package io.rollscope.server.forward;

import java.io.ByteArrayOutputStream;
import java.util.List;

/** Export requests as they came in; one after the other, they are one request. */
record Parcel(byte[] bytes, int from, int spans) {
  int length() {
    return bytes.length - from;
  }

  /** A protobuf message followed by another of its type is both of them merged. */
  static Parcel joined(List<Parcel> parcels) {
    int length = parcels.stream().mapToInt(Parcel::length).sum();
    ByteArrayOutputStream all = new ByteArrayOutputStream(length);
    int spans = 0;
    for (Parcel parcel : parcels) {
      all.write(parcel.bytes(), parcel.from(), parcel.length());
      spans += parcel.spans();
    }
    return new Parcel(all.toByteArray(), 0, spans);
  }
}
