package io.rollscope.otlp.record;

import io.rollscope.otlp.wire.AnyValue;
import io.rollscope.otlp.wire.KeyValue;
import io.rollscope.otlp.wire.MalformedException;
import io.rollscope.otlp.wire.ProtoCursor;
import io.rollscope.otlp.wire.TextBuffer;
import io.rollscope.otlp.wire.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Writes attribute values that are no plain strings as text: numbers, bytes, lists and maps. */
final class ValueText {
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private final byte[] source;
  private final TextBuffer text;

  ValueText(byte[] source, TextBuffer text) {
    this.source = source;
    this.text = text;
  }

  void write(AnyValue value) throws MalformedException {
    switch (value.tag()) {
      case AnyValue.STRING -> putString(value.from(), value.to());
      case AnyValue.BINARY -> putBase64(value.from(), value.to());
      case AnyValue.LIST, AnyValue.MAP -> writeJson(value);
      default -> putScalar(value);
    }
  }

  private void putScalar(AnyValue value) {
    switch (value.tag()) {
      case AnyValue.BOOL -> text.put(value.bits() == 0 ? "false" : "true");
      case AnyValue.INT -> text.put(Long.toString(value.bits()));
      case AnyValue.DOUBLE -> text.put(Numbers.text(Double.longBitsToDouble(value.bits())));
      default -> {}
    }
  }

  void putString(int from, int to) {
    if (Utf8.firstInvalid(source, from, to) < 0) {
      text.put(source, from, to);
    } else {
      byte[] repaired = repaired(source, from, to);
      text.put(repaired, 0, repaired.length);
    }
  }

  /** The text with every wrong byte replaced. */
  static byte[] repaired(byte[] source, int from, int to) {
    return new String(source, from, to - from, StandardCharsets.UTF_8)
        .getBytes(StandardCharsets.UTF_8);
  }

  private void putBase64(int from, int to) {
    // Three bytes become four digits: no more of them than can be kept.
    int kept = Math.min(to - from, Attributes.MAX_VALUE_BYTES);
    byte[] digits =
        Base64.getEncoder().encode(java.util.Arrays.copyOfRange(source, from, from + kept));
    text.put(digits, 0, digits.length);
    text.count((to - from - kept) / 3 * 4L);
  }

  void writeJson(AnyValue value) throws MalformedException {
    switch (value.tag()) {
      case AnyValue.STRING -> putQuoted(value.from(), value.to());
      case AnyValue.BINARY -> {
        text.put('"');
        putBase64(value.from(), value.to());
        text.put('"');
      }
      case AnyValue.LIST -> writeList(value.from(), value.to());
      case AnyValue.MAP -> writeMap(value.from(), value.to());
      case AnyValue.DOUBLE -> {
        boolean number = Double.isFinite(Double.longBitsToDouble(value.bits()));
        text.put(number ? "" : "\"");
        putScalar(value);
        text.put(number ? "" : "\"");
      }
      case 0 -> text.put("null");
      default -> putScalar(value);
    }
  }

  private void writeList(int from, int to) throws MalformedException {
    ProtoCursor c = new ProtoCursor(source, from, to);
    AnyValue element = new AnyValue();
    text.put('[');
    boolean first = true;
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag != AnyValue.ELEMENT) {
        c.skip(tag);
        continue;
      }
      int outer = c.enter();
      text.put(first ? "" : ",");
      first = false;
      element.read(c);
      writeJson(element);
      c.leave(outer);
    }
    text.put(']');
  }

  private void writeMap(int from, int to) throws MalformedException {
    ProtoCursor c = new ProtoCursor(source, from, to);
    KeyValue entry = new KeyValue();
    text.put('{');
    boolean first = true;
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag != AnyValue.ELEMENT) {
        c.skip(tag);
        continue;
      }
      text.put(first ? "" : ",");
      first = false;
      entry.readNext(c);
      putQuoted(entry.keyFrom(), entry.keyTo());
      text.put(':');
      writeJson(entry.value());
    }
    text.put('}');
  }

  void putQuoted(int from, int to) {
    if (text.isFull()) {
      text.count(to - from + 2L);
      return;
    }
    byte[] s = source;
    if (Utf8.firstInvalid(source, from, to) >= 0) {
      s = repaired(source, from, to);
      to = s.length;
      from = 0;
    }
    text.put('"');
    int plain = from;
    for (int i = from; i < to; i++) {
      if (s[i] >= 0x20 && s[i] != '"' && s[i] != '\\' || s[i] < 0) {
        continue;
      }
      text.put(s, plain, i);
      plain = i + 1;
      text.put('\\');
      if (s[i] == '"' || s[i] == '\\') {
        text.put((char) s[i]);
      } else {
        text.put("u00");
        text.put(HEX[s[i] >> 4]);
        text.put(HEX[s[i] & 15]);
      }
    }
    text.put(s, plain, to);
    text.put('"');
  }
}
