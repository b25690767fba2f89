package io.rollscope.server.tail;

/** Is told how far an import is. */
@FunctionalInterface
public interface ProgressListener {

  /**
   * Called often, by any thread, one at a time.
   *
   * @param bytesDone how much of the files is translated and on its way
   * @param spansSent that have arrived
   */
  void progress(long bytesDone, long bytesTotal, long spansSent);
}
