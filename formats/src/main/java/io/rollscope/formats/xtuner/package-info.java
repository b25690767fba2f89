/**
 * XTuner's producer trace ({@code producer_trace_*.jsonl}, its pull request 1891): one JSON object
 * per start, end, error or point event of a sample. XTuner's later main branch writes OTLP lines,
 * see {@code otlp}.
 */
package io.rollscope.formats.xtuner;
