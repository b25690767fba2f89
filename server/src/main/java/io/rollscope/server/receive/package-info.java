/**
 * OTLP receivers: bytes in over HTTP or gRPC, bounded; an answer once the request is durable, or a
 * refusal the sender can act on. What is in the bytes is the business of {@code io.rollscope.otlp}.
 */
package io.rollscope.server.receive;
