package io.rollscope.sdk.internal.span;

import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** What exceptions say, in words for people and for the server. */
public final class Failures {
  private static final int MAX_MESSAGE = 500;

  /** What the server knows a cancellation by, unless the type itself says so. */
  private static final String CANCELLED_TYPE = "CancelledError";

  private Failures() {}

  /** The cause, where the exception is only the wrapping of futures. */
  public static Throwable unwrapped(Throwable thrown) {
    Throwable inner = thrown;
    for (int i = 0; i < 10 && isWrapping(inner); i++) {
      Throwable cause = causeOf(inner);
      if (cause == null) {
        break;
      }
      inner = cause;
    }
    return inner;
  }

  private static boolean isWrapping(Throwable thrown) {
    return thrown instanceof CompletionException || thrown instanceof ExecutionException;
  }

  /** Whether somebody wanted it to stop, which is no failure. */
  public static boolean isCancellation(Throwable thrown) {
    return thrown instanceof CancellationException
        || thrown instanceof InterruptedException
        || thrown instanceof ClosedByInterruptException
        || thrown instanceof InterruptedIOException && !(thrown instanceof SocketTimeoutException);
  }

  /** {@code error.type}. */
  static String type(Throwable thrown) {
    String name = thrown.getClass().getName();
    boolean said = name.contains("CancellationException");
    return isCancellation(thrown) && !said ? CANCELLED_TYPE : name;
  }

  /** {@code error.message}, or null. */
  static String message(Throwable thrown) {
    String message = messageOf(thrown);
    if (type(thrown).equals(CANCELLED_TYPE)) {
      return reason(thrown);
    }
    return message == null ? null : Values.cut(message, MAX_MESSAGE);
  }

  /** {@code Type: message}. */
  public static String reason(Throwable thrown) {
    String message = messageOf(thrown);
    String type = thrown.getClass().getSimpleName();
    type = type.isEmpty() ? thrown.getClass().getName() : type;
    return Values.cut(
        message == null || message.isEmpty() ? type : type + ": " + message, MAX_MESSAGE);
  }

  /** The attributes of an exception event. */
  static void describe(Throwable thrown, boolean stack, AttributeList into, Values values) {
    into.putText("exception.type", thrown.getClass().getName(), values);
    into.putText("exception.message", messageOf(thrown), values);
    if (stack) {
      into.putText("exception.stacktrace", stackOf(thrown), values);
    }
  }

  private static String stackOf(Throwable thrown) {
    StringWriter text = new StringWriter();
    try {
      thrown.printStackTrace(new PrintWriter(text));
    } catch (Throwable e) {
      text.append("…"); // Somebody's own class; what it has said so far.
    }
    return text.toString();
  }

  private static Throwable causeOf(Throwable thrown) {
    try {
      return thrown.getCause();
    } catch (Throwable e) {
      return null; // Somebody's own class, whose cause cannot be had.
    }
  }

  private static String messageOf(Throwable thrown) {
    try {
      return thrown.getMessage();
    } catch (Throwable e) {
      return null; // Somebody's own class, whose message cannot be had.
    }
  }
}
