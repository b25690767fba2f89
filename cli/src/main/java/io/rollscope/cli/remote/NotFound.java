package io.rollscope.cli.remote;

import io.rollscope.cli.problem.Failure;

/** A server does not have what was asked for. */
final class NotFound extends Failure {
  private static final long serialVersionUID = 1L;

  NotFound(String message) {
    super(message);
  }
}
