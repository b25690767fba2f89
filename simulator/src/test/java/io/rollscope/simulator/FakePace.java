package io.rollscope.simulator;

/** Time that passes only while somebody sleeps. */
final class FakePace implements Pace {

  /** Looked at before each sleep. */
  interface Watcher {
    void beforeSleep(long nowNs) throws InterruptedException;
  }

  private final Watcher watcher;
  private long nowNs;

  FakePace(long nowNs, Watcher watcher) {
    this.nowNs = nowNs;
    this.watcher = watcher;
  }

  @Override
  public long nowNs() {
    return nowNs;
  }

  @Override
  public void sleep(long nanoseconds) throws InterruptedException {
    watcher.beforeSleep(nowNs);
    nowNs += nanoseconds;
  }
}
