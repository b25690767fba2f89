package io.rollscope.core.session;

import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.List;

/**
 * Several versions of one span become one, the same in whatever order they arrive: closed beats
 * open, of two closed the later end wins, then the larger by comparison; what only the others say
 * is added, the stronger first (contracts.md 3.12).
 */
public final class SpanMerge {
  /** More different versions than this of one span are not sensible; the weakest go. */
  private static final int MOST = 8;

  private SpanMerge() {}

  /** Positive if {@code a} beats {@code b}, 0 if both say the same. */
  public static <V extends SpanVersion<V>> int compare(V a, V b) {
    boolean open = a.endNs() == Nanos.OPEN;
    if (open != (b.endNs() == Nanos.OPEN)) {
      return open ? -1 : 1;
    }
    int byEnd = Long.compare(a.endNs(), b.endNs());
    return byEnd != 0 ? byEnd : a.compareContent(b);
  }

  /** The versions, strongest first, with one more; the same list if it is known already. */
  public static <V extends SpanVersion<V>> List<V> add(List<V> versions, V version) {
    int at = 0;
    while (at < versions.size()) {
      int stronger = compare(versions.get(at), version);
      if (stronger == 0) {
        return versions;
      }
      if (stronger < 0) {
        break;
      }
      at++;
    }
    List<V> all = new ArrayList<>(versions);
    all.add(at, version);
    return List.copyOf(all.subList(0, Math.min(MOST, all.size())));
  }

  /** The strongest with what the others say in addition. */
  public static <V extends SpanVersion<V>> V united(List<V> strongestFirst) {
    V all = strongestFirst.get(0);
    for (int i = 1; i < strongestFirst.size(); i++) {
      all = all.and(strongestFirst.get(i));
    }
    return all;
  }
}
