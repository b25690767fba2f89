package io.rollscope.server.receive;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Ends bodies that arrive too slowly; looks at them when it is told to. */
final class SlowBodies {
  private final Set<Body> open = ConcurrentHashMap.newKeySet();

  void opened(Body body) {
    open.add(body);
  }

  void closed(Body body) {
    open.remove(body);
  }

  /**
   * @param nowNs as {@link System#nanoTime} says
   */
  void look(long nowNs) {
    open.forEach(body -> body.look(nowNs));
  }
}
