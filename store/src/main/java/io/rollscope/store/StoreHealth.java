package io.rollscope.store;

/**
 * Whether the store can take requests.
 *
 * @param reason what is wrong, for the operator; empty when it is ready
 */
public record StoreHealth(boolean ready, String reason) {}
