/**
 * Reading JSON lines as bytes: a strict scanner that makes no objects, and the counting of what it
 * refuses. Knows nothing of any trace format.
 */
package io.rollscope.formats.scan;
