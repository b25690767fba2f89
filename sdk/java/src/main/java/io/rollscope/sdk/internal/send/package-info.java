/** The background thread: takes from the buffer, encodes, sends, tries again, gives up. */
package io.rollscope.sdk.internal.send;
