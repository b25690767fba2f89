package io.rollscope.server.tail;

import io.rollscope.core.table.TableFullException;
import io.rollscope.formats.folder.Formats;
import io.rollscope.formats.folder.SourcePath;
import io.rollscope.formats.scan.Skipped;
import io.rollscope.server.ServerOptions.WatchedFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/**
 * Follows one folder: each {@link #poll} brings what was appended since the last into the store. It
 * looks instead of being told, because shared file systems tell nobody.
 *
 * <p>When something fails, everything since the durable offsets is read and told again; spans keep
 * their ids, so nothing is there twice.
 */
final class FolderTail {
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final double NANOS = 1e9;

  private final WatchedFolder folder;
  private final TailSetup setup;
  private final SourcePath source;
  private final TailCounts counts = new TailCounts();
  private final TailedFiles files;
  private FolderTranslation translation;
  private String lastSaid;
  private Duration pause = FIRST_PAUSE;
  private long nextTryNs;
  private boolean givenUp;
  private long retoldBefore;
  private volatile long caughtUpNs;
  private volatile Skipped skipped = new Skipped();
  private volatile long retold;

  FolderTail(WatchedFolder folder, TailSetup setup) {
    this.folder = folder;
    this.setup = setup;
    this.source = new SourcePath(folder.folder().toString());
    if (folder.format() != null) {
      Formats.named(folder.format()); // Known now or never.
    }
    this.files = new TailedFiles(setup.sink());
    this.caughtUpNs = setup.clock().getAsLong();
  }

  /** Looks once; when this returns, what was there is durable, or it is known why not. */
  void poll() {
    if (givenUp || setup.clock().getAsLong() < nextTryNs) {
      return;
    }
    if (!source.exists()) {
      forget();
      problem("watch: " + source + " (expected: a folder; waiting until it is there)");
      caughtUpNs = setup.clock().getAsLong();
      return;
    }
    try {
      if (translation == null) {
        translation = newTranslation();
      }
      translation.advance(false);
      files.settle(translation.files());
      caughtUp();
    } catch (TableFullException e) {
      givenUp = true;
      forget();
      problem(e.getMessage() + "; this folder is no longer followed");
    } catch (IOException | RuntimeException e) {
      tryLater(e); // Also what nobody thought of: one bad folder must not end the others.
    }
  }

  private FolderTranslation newTranslation() {
    FolderTranslation made =
        new FolderTranslation(
            source,
            folder.format(),
            folder.run(),
            setup.memoryLimit(),
            file -> files.of(file).resumeAt(),
            new Delivery(setup, files, counts));
    made.onProgress(this::read);
    return made;
  }

  private void read(long bytes) {
    counts.read(bytes);
    if (isOver()) {
      throw UndeliveredException.stopped();
    }
  }

  private boolean isOver() {
    return setup.waiting().passes(Duration.ZERO);
  }

  private void caughtUp() {
    caughtUpNs = setup.clock().getAsLong();
    skipped = translation.skipped();
    retold = retoldBefore + translation.retold();
    pause = FIRST_PAUSE;
    counts.error(null);
    lastSaid = null;
  }

  private void tryLater(Exception e) {
    forget();
    if (isOver()) {
      return;
    }
    String what = e instanceof UncheckedIOException ? e.getCause().toString() : e.getMessage();
    problem("watch: " + source + ": " + what + " (expected: to follow it; trying again)");
    nextTryNs = setup.clock().getAsLong() + pause.toNanos();
    pause =
        pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
  }

  private void forget() {
    retoldBefore = retold;
    translation = null;
    files.clear();
  }

  /** Says it once, not at every look. */
  private void problem(String line) {
    counts.error(line);
    if (!line.equals(lastSaid)) {
      setup.log().accept(line);
      lastSaid = line;
    }
  }

  /** May be asked by any thread. */
  TailNumbers numbers() {
    Skipped now = skipped;
    return new TailNumbers(
        folder.folder(),
        files.count(),
        counts.bytesRead(),
        files.lagBytes(),
        Math.max(0, (setup.clock().getAsLong() - caughtUpNs) / NANOS),
        counts.spans(),
        counts.requests(),
        counts.retries(),
        counts.refused(),
        retold,
        now.count(),
        now.examples(),
        counts.lastError());
  }
}
