package io.rollscope.benchmarks.load;

/** A part of an encoded span that is written over before each send. */
enum Slot {
  TRACE,
  SPAN,
  PARENT,
  START,
  END,
  STEP,
  INPUT_TOKENS,
  OUTPUT_TOKENS,
  FIRST_TOKEN,
  REQUEST;

  static final int COUNT = values().length;
}
