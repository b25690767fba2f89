package io.rollscope.otlp.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Text in UTF-8 of at most so many bytes: of a longer one the beginning is kept, and a note of its
 * length.
 */
public final class TextBuffer {
  private static final int NOTE = 32;

  private final int limit;
  private byte[] bytes = new byte[64];
  private int length;
  private long total;

  public TextBuffer(int limit) {
    this.limit = limit;
  }

  public void clear() {
    length = 0;
    total = 0;
  }

  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }

  /** Length of the whole text, also of what is not kept. */
  public long total() {
    return total;
  }

  /** Takes back everything behind the first so many bytes, which are all kept. */
  public void cutTo(int kept) {
    length = kept;
    total = kept;
  }

  public void put(char ascii) {
    total++;
    if (length < limit) {
      room(1);
      bytes[length++] = (byte) ascii;
    }
  }

  public void put(String ascii) {
    for (int i = 0; i < ascii.length(); i++) {
      put(ascii.charAt(i));
    }
  }

  /** Adds bytes that are well-formed UTF-8 or come from a longer text that is. */
  public void put(byte[] b, int from, int to) {
    total += to - from;
    int kept = Math.min(to - from, limit - length);
    room(kept);
    System.arraycopy(b, from, bytes, length, kept);
    length += kept;
  }

  /** Whether nothing more of the text can be kept. */
  public boolean isFull() {
    return length >= limit;
  }

  /** Counts bytes that are not even looked at. */
  public void count(long more) {
    total += more;
  }

  /** Ends the text; one that was too long ends with its real length. */
  public void finish() {
    if (total <= limit) {
      return;
    }
    length = Math.min(length, limit - NOTE);
    int last = length - 1;
    while (last > 0 && (bytes[last] & 0xC0) == 0x80) {
      last--;
    }
    if (last >= 0 && last + widthAt(last) > length) {
      length = last;
    }
    byte[] note = ("…(" + total + " bytes)").getBytes(StandardCharsets.UTF_8);
    room(note.length);
    System.arraycopy(note, 0, bytes, length, note.length);
    length += note.length;
  }

  /** Part of a message as text. Wrong UTF-8 is replaced. */
  public static String cut(byte[] b, int from, int to, int limit) {
    if (to - from <= limit) {
      return new String(b, from, to - from, StandardCharsets.UTF_8);
    }
    TextBuffer text = new TextBuffer(limit);
    text.put(b, from, to);
    text.finish();
    return new String(text.bytes, 0, text.length, StandardCharsets.UTF_8);
  }

  private int widthAt(int i) {
    int b = bytes[i] & 0xff;
    if (b < 0x80) {
      return 1;
    }
    return b < 0xE0 ? 2 : b < 0xF0 ? 3 : 4;
  }

  private void room(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }
}
