package io.rollscope.formats.json;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * JSON under construction, as UTF-8 bytes: what the trace writers build their lines in without
 * making a string per field. Spelling is that of Python's {@code json.dumps(ensure_ascii=False)}.
 */
public final class JsonText {
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final int MAX_BYTES_PER_CHAR = 6; // \u001f

  private byte[] bytes = new byte[1024];
  private int length;

  /** How many bytes are in it. */
  public int length() {
    return length;
  }

  /** Forgets the content and keeps the memory. */
  public void clear() {
    length = 0;
  }

  /** Appends bytes that are JSON already. */
  public JsonText raw(byte[] json) {
    reserve(json.length);
    System.arraycopy(json, 0, bytes, length, json.length);
    length += json.length;
    return this;
  }

  /** Appends some of these bytes, which are JSON already. */
  public JsonText raw(byte[] json, int from, int count) {
    reserve(count);
    System.arraycopy(json, from, bytes, length, count);
    length += count;
    return this;
  }

  /** Appends ASCII text that is JSON already. */
  public JsonText raw(String json) {
    int count = json.length();
    reserve(count);
    for (int i = 0; i < count; i++) {
      bytes[length++] = (byte) json.charAt(i);
    }
    return this;
  }

  /** Appends one ASCII character of JSON. */
  public JsonText raw(char json) {
    reserve(1);
    bytes[length++] = (byte) json;
    return this;
  }

  /** Appends the content of another text. */
  public JsonText raw(JsonText json) {
    reserve(json.length);
    System.arraycopy(json.bytes, 0, bytes, length, json.length);
    length += json.length;
    return this;
  }

  /** Appends a quoted string, or {@code null}. */
  public JsonText string(String value) {
    return value == null ? raw(NULL) : raw('"').inside(value).raw('"');
  }

  /** Appends a part of a string whose quotes the caller writes. */
  public JsonText inside(String value) {
    return inside(value, 0);
  }

  /** Appends a part of a string, from an index on, whose quotes the caller writes. */
  public JsonText inside(String value, int from) {
    reserve((value.length() - from) * MAX_BYTES_PER_CHAR);
    for (int i = from; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c >= ' ' && c < 0x80 && c != '"' && c != '\\') {
        bytes[length++] = (byte) c;
      } else if (c < 0x80) {
        escape(c);
      } else if (Character.isHighSurrogate(c)
          && i + 1 < value.length()
          && Character.isLowSurrogate(value.charAt(i + 1))) {
        i++;
        supplementary(Character.toCodePoint(c, value.charAt(i)));
      } else {
        twoOrThreeBytes(c);
      }
    }
    return this;
  }

  /** Appends an integer. */
  public JsonText number(long value) {
    if (value < 0) {
      return inside(Long.toString(value));
    }
    int digits = 1;
    for (long rest = value; rest >= 10; rest /= 10) {
      digits++;
    }
    return digits(value, digits);
  }

  /** Appends an integer, or {@code null}. */
  public JsonText number(Long value) {
    return value == null ? raw(NULL) : number(value.longValue());
  }

  /** Appends a thousandth of an integer, exactly: {@code 1500} becomes {@code 1.5}. */
  public JsonText thousandths(long value) {
    reserve(Decimals.MAX_BYTES);
    length = Decimals.putThousandths(bytes, length, value);
    return this;
  }

  /** Appends a float as Python prints it. */
  public JsonText number(double value) {
    PythonFloat.append(this, value);
    return this;
  }

  /** Appends {@code null}. */
  public JsonText none() {
    return raw(NULL);
  }

  /** Appends the last {@code count} decimal digits of a number that is not negative. */
  JsonText digits(long value, int count) {
    reserve(count);
    long rest = value;
    for (int i = length + count - 1; i >= length; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += count;
    return this;
  }

  /** Hands the content to a stream and starts again. */
  public void drainTo(OutputStream out) throws IOException {
    out.write(bytes, 0, length);
    length = 0;
  }

  @Override
  public String toString() {
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  private void escape(char c) {
    switch (c) {
      case '"', '\\' -> escapeAs(c);
      case '\n' -> escapeAs('n');
      case '\r' -> escapeAs('r');
      case '\t' -> escapeAs('t');
      case '\b' -> escapeAs('b');
      case '\f' -> escapeAs('f');
      default -> {
        escapeAs('u');
        bytes[length++] = '0';
        bytes[length++] = '0';
        bytes[length++] = HEX[c >> 4];
        bytes[length++] = HEX[c & 15];
      }
    }
  }

  private void escapeAs(char letter) {
    bytes[length++] = '\\';
    bytes[length++] = (byte) letter;
  }

  private void twoOrThreeBytes(char c) {
    if (c < 0x800) {
      bytes[length++] = (byte) (0xc0 | c >> 6);
    } else if (Character.isSurrogate(c)) {
      bytes[length++] = '?'; // half a character has no UTF-8 form
      return;
    } else {
      bytes[length++] = (byte) (0xe0 | c >> 12);
      bytes[length++] = (byte) (0x80 | (c >> 6 & 0x3f));
    }
    bytes[length++] = (byte) (0x80 | (c & 0x3f));
  }

  private void supplementary(int codePoint) {
    bytes[length++] = (byte) (0xf0 | codePoint >> 18);
    bytes[length++] = (byte) (0x80 | (codePoint >> 12 & 0x3f));
    bytes[length++] = (byte) (0x80 | (codePoint >> 6 & 0x3f));
    bytes[length++] = (byte) (0x80 | (codePoint & 0x3f));
  }

  private void reserve(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
  }
}
