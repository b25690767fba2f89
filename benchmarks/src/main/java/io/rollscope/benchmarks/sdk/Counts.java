package io.rollscope.benchmarks.sdk;

/** Numbers of a benchmark in which something got lost mean nothing. */
final class Counts {
  private Counts() {}

  static void expect(long recorded, long arrived) {
    if (recorded != arrived) {
      throw new IllegalStateException(
          "arrived: " + arrived + " (expected: " + recorded + ", as recorded)");
    }
  }
}
