package io.rollscope.cli.process;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jline.utils.Signals;

/**
 * Ctrl+C and its relatives as something to wait for, so that a server ends by closing and with exit
 * code 0. Whoever asks twice does not want to wait.
 */
public final class EndSignal {
  private static final int KILLED = 130;

  private final CountDownLatch asked = new CountDownLatch(1);

  private EndSignal() {}

  /** From now on the process does not end by INT, TERM or HUP but tells those who wait. */
  public static EndSignal install() {
    EndSignal signal = new EndSignal();
    for (String name : new String[] {"INT", "TERM", "HUP"}) {
      Signals.register(name, signal::ask);
    }
    return signal;
  }

  private void ask() {
    if (asked.getCount() == 0) {
      Runtime.getRuntime().halt(KILLED);
    }
    asked.countDown();
  }

  /**
   * Waits until the end is asked for.
   *
   * @param atMost for how long, or null
   */
  public void await(Duration atMost) {
    try {
      if (atMost == null) {
        asked.await();
      } else if (!asked.await(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
        asked.countDown();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits this long at most; whether the end was asked for. */
  public boolean isAsked(Duration within) {
    try {
      return asked.await(within.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
