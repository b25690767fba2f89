/** How the SDK works inside; no part of its API, and free to change. */
package io.rollscope.sdk.internal;
