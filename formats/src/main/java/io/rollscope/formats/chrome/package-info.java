/**
 * Chrome trace JSON, which Perfetto and chrome://tracing show: made from AReaL's perf traces by
 * rewriting their lines, and from sessions of any format by drawing each as a track of nested
 * slices.
 *
 * <p>Perf traces are never held in memory as a whole: a first pass takes a {@code Census} of
 * processes, threads and flow ids, a second rewrites the lines into sorted runs, which are merged.
 */
package io.rollscope.formats.chrome;
