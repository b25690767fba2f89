/**
 * OTLP/JSON to protobuf, driven by the message descriptors of the published protocol. Knows how
 * OTLP's JSON differs from protobuf's own; knows nothing of what the fields mean.
 */
package io.rollscope.otlp.json;
