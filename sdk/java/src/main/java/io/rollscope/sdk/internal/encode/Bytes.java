package io.rollscope.sdk.internal.encode;

import java.util.Arrays;

/** A growing array of bytes. */
final class Bytes {
  private static final int KEPT = 8 << 20;

  private byte[] array = new byte[8_192];
  private int size;

  int size() {
    return size;
  }

  void ensure(int more) {
    if (size + more > array.length) {
      array = Arrays.copyOf(array, Math.max(size + more, array.length * 2));
    }
  }

  void add(int b) {
    ensure(1);
    array[size++] = (byte) b;
  }

  void addLittleEndian(long value, int bytes) {
    ensure(bytes);
    for (int i = 0; i < bytes; i++) {
      array[size++] = (byte) (value >>> 8 * i);
    }
  }

  void addBigEndian(long value) {
    ensure(8);
    for (int i = 56; i >= 0; i -= 8) {
      array[size++] = (byte) (value >>> i);
    }
  }

  void addVarint(long value) {
    ensure(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      array[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    array[size++] = (byte) rest;
  }

  /** Text as it is, of ASCII. */
  void addAscii(String text) {
    ensure(text.length());
    for (int i = 0; i < text.length(); i++) {
      array[size++] = (byte) text.charAt(i);
    }
  }

  /** UTF-8; half a character becomes a question mark. */
  void addUtf8(String text) {
    int length = text.length();
    ensure(3 * length);
    int i = 0;
    while (i < length && text.charAt(i) < 0x80) {
      array[size++] = (byte) text.charAt(i++);
    }
    while (i < length) {
      i += addCharacter(text, i);
    }
  }

  /** Adds one character, whose room is there; says how many {@code char}s it was. */
  int addCharacter(String text, int i) {
    char c = text.charAt(i);
    if (c < 0x80) {
      array[size++] = (byte) c;
    } else if (c < 0x800) {
      array[size++] = (byte) (0xC0 | c >> 6);
      array[size++] = (byte) (0x80 | c & 0x3F);
    } else if (!Character.isSurrogate(c)) {
      array[size++] = (byte) (0xE0 | c >> 12);
      array[size++] = (byte) (0x80 | c >> 6 & 0x3F);
      array[size++] = (byte) (0x80 | c & 0x3F);
    } else if (Character.isHighSurrogate(c)
        && i + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(i + 1))) {
      int point = Character.toCodePoint(c, text.charAt(i + 1));
      array[size++] = (byte) (0xF0 | point >> 18);
      array[size++] = (byte) (0x80 | point >> 12 & 0x3F);
      array[size++] = (byte) (0x80 | point >> 6 & 0x3F);
      array[size++] = (byte) (0x80 | point & 0x3F);
      return 2;
    } else {
      array[size++] = '?';
    }
    return 1;
  }

  /**
   * Writes the length of what came since, into the one byte left before it. Most messages are
   * short; the others move.
   */
  void setLength(int at) {
    int length = size - at - 1;
    int more = 0;
    for (int rest = length >>> 7; rest != 0; rest >>>= 7) {
      more++;
    }
    if (more > 0) {
      ensure(more);
      System.arraycopy(array, at + 1, array, at + 1 + more, length);
    }
    int end = size + more;
    size = at;
    addVarint(length);
    size = end;
  }

  byte[] take() {
    byte[] whole = Arrays.copyOf(array, size);
    size = 0;
    if (array.length > KEPT) {
      array = new byte[8_192];
    }
    return whole;
  }
}
