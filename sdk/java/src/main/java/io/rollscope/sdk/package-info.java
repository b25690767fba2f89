/**
 * The SDK: {@link io.rollscope.sdk.Rollscope} records what a training program does, {@link
 * io.rollscope.sdk.Transport} brings it away. {@code internal} is not part of it.
 */
package io.rollscope.sdk;
