package io.rollscope.server.tail;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What following a folder needs of the world.
 *
 * @param clock nanoseconds since the epoch
 * @param waiting how to pass time
 * @param log takes lines for the operator
 * @param memoryLimit bytes the tables of one folder may take
 */
record TailSetup(
    Sink sink, LongSupplier clock, Waiting waiting, Consumer<String> log, long memoryLimit) {}
