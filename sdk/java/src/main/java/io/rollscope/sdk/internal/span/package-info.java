/**
 * What is recorded on the caller's thread: spans, and the bounded buffer they wait in. Nothing here
 * encodes, sends or blocks.
 */
package io.rollscope.sdk.internal.span;
