/**
 * What is open or recent, in memory: traces with their spans, the sessions these belong to,
 * processes and whether they live, and the live board made of all that. Rebuilt from the journal;
 * closed spans leave as soon as a segment holds them.
 *
 * <p>Not thread-safe: {@link io.rollscope.store.Store} guards it with one lock.
 */
package io.rollscope.store.hot;
