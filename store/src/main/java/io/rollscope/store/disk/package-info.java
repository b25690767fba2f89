/**
 * The only way in which the store touches files, so that a test can fail the N-th call or forget
 * what was not forced. Nothing here knows what the files contain.
 */
package io.rollscope.store.disk;
