package io.rollscope.store.segment;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Goes through all segments, some bytes at a time, and looks whether they are damaged. */
public final class SegmentVerification {
  private final Segments segments;
  private final Deque<Long> left = new ArrayDeque<>();
  private boolean thorough;
  private long allowed;

  public SegmentVerification(Segments segments) {
    this.segments = segments;
  }

  /**
   * Begins with the segments that there are now; those that come later are not looked at.
   *
   * @param everyValue whether all values are read too, not only checksums compared
   */
  public void begin(boolean everyValue) {
    left.clear();
    segments.manifest().segments().forEach(s -> left.add(s.number()));
    thorough = everyValue;
    allowed = 0;
  }

  public boolean isRunning() {
    return !left.isEmpty();
  }

  /** Reads about so many bytes more, a whole segment at least, and tells what is damaged. */
  public List<Damage> step(long bytes, long nowNs) throws IOException {
    List<Damage> found = new ArrayList<>();
    allowed = Math.min(bytes, allowed + bytes);
    Set<Long> listed = new HashSet<>();
    segments.manifest().segments().forEach(s -> listed.add(s.number()));
    while (allowed > 0 && !left.isEmpty()) {
      long number = left.remove();
      if (!listed.contains(number)) {
        continue; // Merged or deleted meanwhile.
      }
      Segment segment = segments.segment(number);
      allowed -= Math.max(1, segment.bytes());
      String wrong = segments.wrongWith(segment, thorough);
      if (wrong != null) {
        found.add(new Damage(segment.files(), wrong, nowNs, segment));
      }
    }
    return found;
  }
}
