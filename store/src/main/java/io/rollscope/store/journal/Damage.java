package io.rollscope.store.journal;

/**
 * A part of a file that holds no intact frame and was passed over.
 *
 * @param reason what is wrong where it begins
 */
public record Damage(String file, long offset, long bytes, String reason) {}
