package io.rollscope.simulator.cluster;

/**
 * When something happens.
 *
 * @param step what the trainer is at
 * @param nowS virtual time
 */
public record Moment(int step, double nowS) {}
