/**
 * Protobuf at the level of bytes: reading fields where they lie, and writing them. Knows OTLP's
 * {@code AnyValue}, because it alone nests without end; nothing else of OTLP.
 */
package io.rollscope.otlp.wire;
