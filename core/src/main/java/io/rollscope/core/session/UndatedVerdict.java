package io.rollscope.core.session;

/** How a reader tells that a session's fate is known, but not when it was decided. */
public final class UndatedVerdict {

  /** The attribute of a session's span whose end says nothing of that (contracts.md 5.7). */
  public static final String ATTRIBUTE = "rollscope.verdict.undated";

  private UndatedVerdict() {}
}
