/**
 * AReaL's traces: session rows (every generation of the format) and perf traces (Chrome events as
 * JSON lines, per rank and role).
 */
package io.rollscope.formats.areal;
