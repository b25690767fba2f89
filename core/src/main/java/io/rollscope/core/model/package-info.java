/**
 * The vocabulary of Rollscope: what a span, a session and their fates are called everywhere.
 *
 * <p>Only plain data lives here. How rows are kept is in {@code table}, what is computed from them
 * in {@code pairing}, {@code accounting}, {@code stats} and {@code view}.
 */
package io.rollscope.core.model;
