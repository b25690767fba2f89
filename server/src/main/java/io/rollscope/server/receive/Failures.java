package io.rollscope.server.receive;

import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.server.RequestTimeoutException;
import io.rollscope.server.receive.Refusal.Why;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What to tell the sender when work on its request failed. */
final class Failures {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  private Failures() {}

  static Refusal refusal(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof RefusedException e) {
      return e.refusal();
    }
    if (cause instanceof RequestTimeoutException) {
      return Refusal.of(Why.TOO_SLOW, "request: not complete (expected: within a minute)");
    }
    if (cause instanceof ContentTooLargeException) {
      return Limits.DEFAULT.tooLarge("body");
    }
    LOG.warn("A request failed", cause);
    return Refusal.of(Why.BROKEN, "request: failed by a fault of the server's; see its log");
  }
}
