package io.rollscope.sdk.internal.send;

import io.rollscope.sdk.internal.host.HostMetrics;
import io.rollscope.sdk.internal.stack.Stacks;

/**
 * What a process says of itself besides beats.
 *
 * @param hostMetrics or null
 * @param stacks or null
 */
public record SelfReport(HostMetrics hostMetrics, Stacks stacks) {}
