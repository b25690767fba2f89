package io.rollscope.server.tls;

/** A certificate or key that cannot be used; the message is {@code WHAT: VALUE (expected: …)}. */
public final class CertificateException extends Exception {
  private static final long serialVersionUID = 1L;

  CertificateException(String what, Object value, String expected, Throwable cause) {
    super(what + ": " + value + " (expected: " + expected + ")", cause);
  }
}
