package io.rollscope.core.table;

/**
 * What a span is called.
 *
 * @param raw the name its source gave it
 * @param stage the short name shown to people
 */
public record SpanName(String raw, String stage) {

  /** A span of which only a child was heard of. It is shown as open and enters no statistics. */
  public static final SpanName NOT_YET_SEEN = new SpanName("(not yet seen)", "(not yet seen)");
}
