package io.rollscope.sdk.internal;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Tells the user what is wrong, once each: a warning per span would hurt more than the fault. */
public final class Warnings {
  private static final int MAX_TOLD = 1_000;

  private final Consumer<String> log;
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  public Warnings(Consumer<String> log) {
    this.log = log;
  }

  /** To the log of the program; the platform's, which most logging libraries take over. */
  public static Warnings toSystemLog() {
    System.Logger logger = System.getLogger("io.rollscope.sdk");
    return new Warnings(text -> logger.log(System.Logger.Level.WARNING, text));
  }

  /** Unless something was said about this subject before. */
  public void once(String subject, String text) {
    if (told.size() < MAX_TOLD && told.add(subject)) {
      log.accept("rollscope: " + ReadableText.of(text));
    }
  }

  /** The next warning about this subject is news again. */
  public void forget(String subject) {
    told.remove(subject);
  }
}
