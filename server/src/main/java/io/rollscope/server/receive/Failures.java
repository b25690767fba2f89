package io.rollscope.server.receive;

import com.linecorp.armeria.common.ShuttingDownException;
import com.linecorp.armeria.common.stream.CancelledSubscriptionException;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.RequestTimeoutException;
import io.rollscope.server.receive.Refusal.Why;
import java.util.Arrays;
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
    if (cause instanceof HttpStatusException e) {
      return byStatus(e);
    }
    if (cause instanceof ClosedStreamException || cause instanceof CancelledSubscriptionException) {
      return Refusal.of(Why.MALFORMED, "request: broken off (expected: a whole one)");
    }
    if (cause instanceof ShuttingDownException) {
      return Refusal.later(
          Why.FAILING, "server: closing (expected: a retry after a moment)", Limits.RETRY_SOON);
    }
    LOG.warn("A request failed", cause);
    return Refusal.of(Why.BROKEN, "request: failed by a fault of the server's; see its log");
  }

  private static Refusal byStatus(HttpStatusException e) {
    Why why =
        Arrays.stream(Why.values())
            .filter(w -> w.httpStatus() == e.httpStatus().code())
            .findFirst()
            .orElse(Why.BROKEN);
    return Refusal.of(why, "request: " + e.httpStatus() + " (expected: one this server takes)");
  }
}
