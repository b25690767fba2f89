package io.rollscope.store.sql;

import java.util.Map;

/**
 * How the processes for users' SQL fared.
 *
 * @param kills those that did not end by themselves or because nobody asked, by reason
 */
public record SqlNumbers(long starts, Map<String, Long> kills) {}
