package io.rollscope.cli.remote;

import io.rollscope.cli.terminal.LiveSource;
import io.rollscope.core.view.LiveReport;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Fetches in the background, so that a slow server does not keep the screen from taking keys. */
public final class RemoteRefresh implements LiveSource {
  private static final long EVERY_MS = 1_000;

  private final RemoteLive live;
  private final Thread thread = new Thread(this::run, "rollscope-fetch");
  private volatile boolean changed;
  private volatile IOException failure;

  private RemoteRefresh(RemoteLive live) {
    this.live = live;
  }

  /** Goes on fetching what has been opened. */
  public static RemoteRefresh begin(RemoteLive live) {
    RemoteRefresh refresh = new RemoteRefresh(live);
    refresh.thread.setDaemon(true);
    refresh.thread.start();
    return refresh;
  }

  private void run() {
    try {
      while (failure == null) {
        TimeUnit.MILLISECONDS.sleep(EVERY_MS);
        changed |= live.poll();
      }
    } catch (IOException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean poll() throws IOException {
    if (failure != null) {
      throw failure;
    }
    boolean news = changed;
    changed = false;
    return news;
  }

  @Override
  public LiveReport report(int maxRows) {
    return live.report(maxRows);
  }

  @Override
  public String trouble() {
    return live.trouble();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
