package io.rollscope.sdk.internal.encode;

/** Writes OTLP's JSON: ids in hex, 64-bit numbers as text, one line. */
public final class JsonSink implements Sink {
  private static final String HEX = "0123456789abcdef";

  private final Bytes out = new Bytes();
  private boolean first = true;

  /** The request itself is an object nobody opens. */
  private void separate() {
    if (out.size() == 0) {
      out.add('{');
    } else if (!first) {
      out.add(',');
    }
    first = false;
  }

  private void name(String name) {
    separate();
    out.add('"');
    out.addAscii(name);
    out.addAscii("\":");
  }

  @Override
  public void open(int field, String name) {
    name(name);
    out.add('{');
    first = true;
  }

  @Override
  public void openElement(int field) {
    separate();
    out.add('{');
    first = true;
  }

  @Override
  public void close() {
    out.add('}');
    first = false;
  }

  @Override
  public void openList(String name) {
    name(name);
    out.add('[');
    first = true;
  }

  @Override
  public void closeList() {
    out.add(']');
    first = false;
  }

  @Override
  public void text(int field, String name, String value) {
    name(name);
    out.add('"');
    out.ensure(6 * value.length());
    for (int i = 0; i < value.length(); ) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\' || c < 0x20) {
        escape(c);
        i++;
      } else {
        i += out.addCharacter(value, i);
      }
    }
    out.add('"');
  }

  private void escape(char c) {
    out.add('\\');
    if (c >= 0x20) {
      out.add(c);
    } else {
      out.addAscii("u00");
      out.add(HEX.charAt(c >> 4));
      out.add(HEX.charAt(c & 15));
    }
  }

  @Override
  public void id(int field, String name, long id) {
    name(name);
    out.add('"');
    hex(id);
    out.add('"');
  }

  @Override
  public void id(int field, String name, long high, long low) {
    name(name);
    out.add('"');
    hex(high);
    hex(low);
    out.add('"');
  }

  private void hex(long id) {
    for (int shift = 60; shift >= 0; shift -= 4) {
      out.add(HEX.charAt((int) (id >>> shift) & 15));
    }
  }

  @Override
  public void fixed64(int field, String name, long value) {
    int64(field, name, value);
  }

  @Override
  public void fixed32(int field, String name, int value) {
    int32(field, name, value);
  }

  @Override
  public void int64(int field, String name, long value) {
    name(name);
    out.add('"');
    out.addAscii(Long.toString(value));
    out.add('"');
  }

  @Override
  public void int32(int field, String name, int value) {
    name(name);
    out.addAscii(Integer.toString(value));
  }

  @Override
  public void real(int field, String name, double value) {
    name(name);
    real(value);
  }

  /** JSON has no word for what is no number; protobuf's mapping has. */
  private void real(double value) {
    String text = Double.toString(value);
    out.addAscii(Double.isFinite(value) ? text : '"' + text + '"');
  }

  @Override
  public void flag(int field, String name, boolean value) {
    name(name);
    out.addAscii(Boolean.toString(value));
  }

  @Override
  public void fixed64s(int field, String name, long[] values) {
    openList(name);
    for (long value : values) {
      separate();
      out.addAscii("\"" + value + "\"");
    }
    closeList();
  }

  @Override
  public void reals(int field, String name, double[] values) {
    openList(name);
    for (double value : values) {
      separate();
      real(value);
    }
    closeList();
  }

  @Override
  public int size() {
    return out.size();
  }

  @Override
  public byte[] take() {
    out.addAscii(out.size() == 0 ? "{}" : "}");
    first = true;
    return out.take();
  }
}
