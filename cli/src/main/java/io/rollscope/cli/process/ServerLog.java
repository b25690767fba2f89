package io.rollscope.cli.process;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * What a server, or a store, says while it runs: one line per message on stderr, warnings and
 * worse.
 */
public final class ServerLog {
  /** Kept here, because the JDK forgets loggers that nobody holds, and their levels with them. */
  private static final List<Logger> LEVELS =
      List.of(
          Logger.getLogger("io.rollscope"),
          Logger.getLogger("io.micrometer"),
          Logger.getLogger("io.opentelemetry"));

  private static final List<Level> LEAST = List.of(Level.INFO, Level.OFF, Level.SEVERE);

  private ServerLog() {}

  /** Sets this process's logging up. */
  public static void configure() {
    Logger root = Logger.getLogger("");
    for (Handler handler : root.getHandlers()) {
      root.removeHandler(handler);
    }
    Handler handler = new ConsoleHandler();
    handler.setFormatter(new OneLine());
    root.addHandler(handler);
    root.setLevel(Level.WARNING);
    for (int i = 0; i < LEVELS.size(); i++) {
      LEVELS.get(i).setLevel(LEAST.get(i));
    }
  }

  /** {@code 2026-11-15 06:34:50 warning: what happened}, and the stack of what was thrown. */
  static final class OneLine extends Formatter {
    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    @Override
    public String format(LogRecord logged) {
      Instant at = Instant.ofEpochMilli(logged.getMillis());
      StringWriter text = new StringWriter();
      text.append(TIME.format(at.atZone(ZoneId.systemDefault())))
          .append(' ')
          .append(word(logged.getLevel()))
          .append(": ")
          .append(formatMessage(logged).replace("\r", "").replace('\n', ' '))
          .append('\n');
      if (logged.getThrown() != null) {
        logged.getThrown().printStackTrace(new PrintWriter(text, true));
      }
      return text.toString();
    }

    private static String word(Level level) {
      if (level.intValue() >= Level.SEVERE.intValue()) {
        return "error";
      }
      return level.intValue() >= Level.WARNING.intValue() ? "warning" : "info";
    }
  }
}
