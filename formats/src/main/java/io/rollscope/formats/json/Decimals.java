package io.rollscope.formats.json;

/** Writes numbers as ASCII digits into byte arrays, which must have room for {@link #MAX_BYTES}. */
public final class Decimals {
  /** No number takes more. */
  public static final int MAX_BYTES = 24;

  private Decimals() {}

  /** Puts a whole number; returns where it ends. */
  public static int put(byte[] target, int at, long value) {
    int i = at;
    if (value < 0) {
      target[i++] = '-';
    }
    // Digits of negative numbers, because Long.MIN_VALUE has no positive counterpart.
    long rest = value < 0 ? value : -value;
    int digits = 1;
    for (long r = rest / 10; r != 0; r /= 10) {
      digits++;
    }
    int end = i + digits;
    for (int k = end - 1; k >= i; k--) {
      target[k] = (byte) ('0' - rest % 10);
      rest /= 10;
    }
    return end;
  }

  /** Puts a thousandth of the value, without trailing zeros. */
  public static int putThousandths(byte[] target, int at, long value) {
    int i = at;
    if (value < 0 && value > -1000) {
      target[i++] = '-';
    }
    i = put(target, i, value / 1000);
    int fraction = (int) Math.abs(value % 1000);
    if (fraction != 0) {
      target[i++] = '.';
      target[i++] = (byte) ('0' + fraction / 100);
      target[i++] = (byte) ('0' + fraction / 10 % 10);
      target[i++] = (byte) ('0' + fraction % 10);
      while (target[i - 1] == '0') {
        i--;
      }
    }
    return i;
  }
}
