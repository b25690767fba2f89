package io.rollscope.cli.problem;

/** The command was called wrongly in a way only it can tell: exit code 2. */
public final class WrongUsage extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public WrongUsage(String what, Object value, String expected) {
    super(what + ": " + value + " (expected: " + expected + ")");
  }
}
