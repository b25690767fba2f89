/**
 * Spans on their way to another backend: batched, tried again, bounded; what is lost is counted.
 */
package io.rollscope.server.forward;
