package io.rollscope.store.sql;

/**
 * What one query sees; its files stay until it is closed.
 *
 * @param definitions SQL that creates the views
 * @param released called once it is closed
 */
public record SqlSnapshot(String definitions, Runnable released) implements AutoCloseable {
  @Override
  public void close() {
    released.run();
  }
}
