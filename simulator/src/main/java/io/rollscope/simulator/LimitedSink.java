package io.rollscope.simulator;

/** A sink that takes a given amount and no more. */
interface LimitedSink extends Sink {

  /** Whether it has all that it takes; what comes later is dropped. */
  boolean isFull();

  /** How much it has taken. */
  long taken();
}
