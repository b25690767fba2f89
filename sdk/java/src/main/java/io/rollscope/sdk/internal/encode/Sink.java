package io.rollscope.sdk.internal.encode;

/**
 * Takes a message field by field, so that one description of a request serves protobuf, which knows
 * fields by number, and JSON, which knows them by name. What is default is not to be written by the
 * caller, unless it says something.
 */
public interface Sink {
  /** A message begins, as value of a field. */
  void open(int field, String name);

  /** The message, or element, ends. */
  void close();

  /** A list of messages begins; each is an element. */
  void openList(String name);

  void closeList();

  /** An element of a list begins. */
  void openElement(int field);

  void text(int field, String name, String value);

  /** Eight bytes. */
  void id(int field, String name, long id);

  /** Sixteen bytes. */
  void id(int field, String name, long high, long low);

  /** 64 bits of fixed size: times and counts. */
  void fixed64(int field, String name, long value);

  /** 32 bits of fixed size: flags. */
  void fixed32(int field, String name, int value);

  /** 64 bits of varying size. */
  void int64(int field, String name, long value);

  /** 32 bits of varying size: enumerations and small counts. */
  void int32(int field, String name, int value);

  void real(int field, String name, double value);

  void flag(int field, String name, boolean value);

  void fixed64s(int field, String name, long[] values);

  void reals(int field, String name, double[] values);

  /** Bytes so far. */
  int size();

  /** The whole; the sink is empty again. */
  byte[] take();
}
