package io.rollscope.sdk.internal.send;

import io.rollscope.sdk.Sent;
import io.rollscope.sdk.Signal;
import io.rollscope.sdk.Transport;
import io.rollscope.sdk.internal.ReadableText;
import io.rollscope.sdk.internal.Warnings;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Hands requests to a transport, again and again if need be, until a deadline when there is one.
 */
final class Delivery {
  private static final Duration MAX_RETRY_AFTER = Duration.ofMinutes(5);
  private static final String UNREACHABLE = "unreachable";

  /** A proxy may be passing, a wrong port stays wrong. */
  private static final int MAX_UNCLEAR = 4;

  private final Transport transport;
  private final Warnings warnings;
  private final Pace pace;
  private volatile long deadlineNs;
  private volatile boolean hurried;
  private String wantedStacks = "";

  Delivery(Transport transport, Warnings warnings, Pace pace) {
    this.transport = transport;
    this.warnings = warnings;
    this.pace = pace;
  }

  /** From now on nothing takes longer than that. */
  void hurry(long deadlineNs) {
    this.deadlineNs = deadlineNs;
    hurried = true;
  }

  boolean isTooLate() {
    return hurried && System.nanoTime() - deadlineNs >= 0;
  }

  /** How many of its items were lost. */
  long send(Signal signal, byte[] body, int items) {
    Duration usual = pace.firstRetry();
    int unclear = 0;
    while (!isTooLate()) {
      Sent sent = attempt(signal, body);
      if (sent.outcome() == Sent.Outcome.ARRIVED) {
        warnings.forget(UNREACHABLE);
        wantedStacks = sent.wantStack().isEmpty() ? wantedStacks : sent.wantStack();
        return rejected(signal, sent, items);
      }
      if (sent.outcome() == Sent.Outcome.REFUSED) {
        warnings.once(
            "refused " + sent.message(),
            items + " items of " + signal.path() + " refused: " + sent.message());
        return items;
      }
      if (sent.outcome() == Sent.Outcome.UNCLEAR) {
        if (++unclear == MAX_UNCLEAR) {
          warnings.once(
              "unclear", items + " items of " + signal.path() + " lost: " + sent.message());
          return items;
        }
      } else {
        warnings.once(UNREACHABLE, sent.message() + "; trying again until it works");
      }
      if (!waited(sent.retryAfter() != null ? capped(sent.retryAfter()) : jittered(usual))) {
        return items;
      }
      usual = min(usual.multipliedBy(2), pace.lastRetry());
    }
    return items;
  }

  /** Ids of spans of which the last answer that asked wants a stack; once. */
  String takeWantedStacks() {
    String wanted = wantedStacks;
    wantedStacks = "";
    return wanted;
  }

  private Sent attempt(Signal signal, byte[] body) {
    Sent sent = outcome(signal, body);
    return new Sent(
        sent.outcome(),
        sent.rejected(),
        sent.retryAfter(),
        ReadableText.of(sent.message()),
        sent.wantStack() == null ? "" : sent.wantStack());
  }

  private Sent outcome(Signal signal, byte[] body) {
    try {
      return transport.send(signal, body);
    } catch (IOException e) {
      return Sent.later(null, "sending failed: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Sent.refused("interrupted while sending");
    } catch (RuntimeException | Error e) {
      return Sent.refused(transport.getClass().getSimpleName() + ": " + e);
    }
  }

  private long rejected(Signal signal, Sent sent, int items) {
    if (sent.rejected() > 0) {
      warnings.once(
          "rejected " + sent.message(),
          sent.rejected() + " items of " + signal.path() + " refused: " + sent.message());
    }
    return Math.min(Math.max(sent.rejected(), 0), items);
  }

  /**
   * Waits, but no longer than there is time: who is in a hurry tries at once, and then often. False
   * when the process wants this thread to stop.
   */
  private boolean waited(Duration time) {
    boolean before = hurried;
    Duration wanted = before ? min(time, pace.firstRetry()) : time;
    long end = System.nanoTime() + wanted.toNanos();
    while (hurried == before && !isTooLate() && System.nanoTime() - end < 0) {
      if (Thread.interrupted()) {
        return false;
      }
      LockSupport.parkNanos(this, Math.max(1, end - System.nanoTime()));
    }
    return true;
  }

  /** As the server wants it, within reason: one that says "now" for ever is not hammered. */
  private Duration capped(Duration after) {
    Duration least = pace.firstRetry().dividedBy(5);
    return min(after.compareTo(least) < 0 ? least : after, MAX_RETRY_AFTER);
  }

  private static Duration jittered(Duration usual) {
    double factor = ThreadLocalRandom.current().nextDouble(0.8, 1.2);
    return Duration.ofNanos((long) (usual.toNanos() * factor));
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) <= 0 ? a : b;
  }
}
