package io.rollscope.cli.render;

import java.util.Arrays;

/** A line of blocks, each as high as a value. */
final class Sparkline {
  private static final String BLOCKS = "▁▂▃▄▅▆▇█";

  private Sparkline() {}

  /** Blanks where there is no value; in the middle if all are the same. */
  static String of(double[] values) {
    double[] finite = Arrays.stream(values).filter(Double::isFinite).toArray();
    double least = Arrays.stream(finite).min().orElse(0);
    double greatest = Arrays.stream(finite).max().orElse(0);
    StringBuilder line = new StringBuilder();
    for (double value : values) {
      // Halves, so that what lies far apart does not overflow.
      double share = (value / 2 - least / 2) / (greatest / 2 - least / 2);
      int height = greatest > least ? (int) (share * (BLOCKS.length() - 1) + 0.5) : 3;
      line.append(Double.isFinite(value) ? BLOCKS.charAt(height) : ' ');
    }
    return line.toString();
  }
}
