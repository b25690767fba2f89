package io.rollscope.server.receive;

/** Carries a {@link Refusal} out of the work on a request. Has no stack: it is an answer. */
final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  RefusedException(Refusal refusal) {
    super(refusal.message(), null, false, false);
    this.refusal = refusal;
  }

  Refusal refusal() {
    return refusal;
  }
}
