/**
 * OTLP export requests as bytes: decoding them into {@code record}s, JSON into protobuf, and
 * records back into requests. No I/O, no clock.
 */
package io.rollscope.otlp;
