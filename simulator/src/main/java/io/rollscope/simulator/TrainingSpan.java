package io.rollscope.simulator;

/**
 * A finished piece of work of a trainer.
 *
 * @param name as AReaL calls it, e.g. {@code train.ppo_update}
 * @param category as AReaL calls it, e.g. {@code compute}
 * @param rank of the trainer
 * @param step the training step from 0, or null where the original does not record it
 * @param startNs in nanoseconds since the epoch
 * @param endNs in nanoseconds since the epoch
 */
public record TrainingSpan(
    String name, String category, long rank, Long step, long startNs, long endNs) {}
