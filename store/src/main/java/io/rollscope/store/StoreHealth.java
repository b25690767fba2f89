package io.rollscope.store;

import java.util.List;

/**
 * Whether the store can take requests.
 *
 * @param reason what is wrong, for the operator; empty when it is ready
 * @param damaged what was set aside; everything else is served
 */
public record StoreHealth(boolean ready, String reason, List<String> damaged) {}
