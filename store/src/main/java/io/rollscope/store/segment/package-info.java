/**
 * Segments: immutable Parquet files with everything that has come to rest, the manifest that lists
 * them, and the ids that tell whether a span is in one. Rows travel to DuckDB as Arrow batches.
 */
package io.rollscope.store.segment;
