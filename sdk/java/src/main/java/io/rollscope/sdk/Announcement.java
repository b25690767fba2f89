package io.rollscope.sdk;

import io.rollscope.sdk.internal.ReadableText;
import io.rollscope.sdk.internal.setting.Settings;
import java.util.concurrent.atomic.AtomicReference;

/** One line on stderr that says where a program records, so that nobody has to guess. */
final class Announcement {
  private static final AtomicReference<String> LAST = new AtomicReference<>();

  private Announcement() {}

  /** Unless it is not wanted, or is known already. */
  static void of(Settings settings, String destination) {
    String line =
        "rollscope: recording run "
            + settings.run()
            + " to "
            + destination
            + " (quiet(true) leaves this line out)";
    if (!settings.quiet() && !line.equals(LAST.getAndSet(line))) {
      System.err.println(ReadableText.of(line));
    }
  }
}
