package io.rollscope.otlp.record;

/**
 * What was not kept of attributes.
 *
 * @param leftOut attributes beyond {@link Attributes#MAX_COUNT}
 * @param cut keys or values longer than {@link Attributes#MAX_VALUE_BYTES}
 */
public record Reduction(long leftOut, long cut) {
  public static final Reduction NONE = new Reduction(0, 0);

  public Reduction plus(Reduction other) {
    return new Reduction(leftOut + other.leftOut, cut + other.cut);
  }

  public boolean isNone() {
    return leftOut == 0 && cut == 0;
  }
}
