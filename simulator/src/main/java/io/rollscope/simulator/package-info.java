/**
 * A simulated asynchronous GRPO run: what demo, tests and benchmarks look at when no cluster is at
 * hand. {@link io.rollscope.simulator.Simulation} invents the run on a virtual clock, {@link
 * io.rollscope.simulator.Playback} writes it as trace folders, at once or as time passes.
 *
 * <p>Nothing here reads traces; the spelling of the files is in {@code io.rollscope.formats}.
 */
package io.rollscope.simulator;
