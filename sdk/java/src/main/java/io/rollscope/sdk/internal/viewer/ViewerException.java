package io.rollscope.sdk.internal.viewer;

/** There is no viewer, and why. */
final class ViewerException extends Exception {
  private static final long serialVersionUID = 1;

  ViewerException(String message) {
    super(message);
  }
}
