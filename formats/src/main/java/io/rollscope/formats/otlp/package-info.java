/**
 * OTLP-JSON lines: one export request per line, as XTuner's main branch, ROLL and the OpenTelemetry
 * collector's file exporter write them. Which run and session a span belongs to is told by its
 * whole trace, so spans are collected first and put into tables when the look at the files is over.
 */
package io.rollscope.formats.otlp;
