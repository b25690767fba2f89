package io.rollscope.sdk.internal.send;

import io.rollscope.sdk.internal.host.HostMetrics;
import io.rollscope.sdk.internal.stack.Stacks;

/**
 * Who knows what a process says of itself besides beats.
 *
 * @param hostMetrics or null
 * @param stacks or null
 */
public record Reporters(HostMetrics hostMetrics, Stacks stacks) {}
