package io.rollscope.formats.chrome;

import io.rollscope.core.table.Dictionary;
import io.rollscope.formats.scan.BadLineException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The threads one reader has met, found by the bytes of rank, role, pid and tid, so that only the
 * first event of a thread is looked at closely. One per reading thread, for both passes.
 */
final class LocalThreads {
  private final Dictionary spellings = new Dictionary();
  private final List<ThreadKey> threads = new ArrayList<>();
  private byte[] spelling = new byte[64];
  private int length;

  /** Number of the event's thread; several numbers may stand for one thread. */
  int of(EventLine event) throws BadLineException {
    length = 0;
    append(event.bytes, event.rank);
    append(event.bytes, event.role);
    append(event.bytes, event.pid);
    append(event.bytes, event.tid);
    int number = spellings.intern(spelling, 0, length);
    if (number == threads.size()) {
      threads.add(key(event));
    }
    return number;
  }

  private void append(byte[] b, EventLine.Part part) {
    int size = part.to - part.from;
    if (length + size + 1 > spelling.length) {
      spelling = Arrays.copyOf(spelling, (length + size + 1) * 2);
    }
    System.arraycopy(b, part.from, spelling, length, size);
    length += size;
    // No JSON text has this byte in it.
    spelling[length++] = 0;
  }

  static ThreadKey key(EventLine event) throws BadLineException {
    byte[] b = event.bytes;
    String role = event.isText(event.role) ? event.text(event.role).strip() : "";
    ProcessKey process =
        new ProcessKey(
            Rank.of(b, event.rank.from, event.rank.to),
            role.isEmpty() ? null : role,
            SourceId.of(b, event.pid.from, event.pid.to));
    return new ThreadKey(process, SourceId.of(b, event.tid.from, event.tid.to));
  }

  ThreadKey get(int number) {
    return threads.get(number);
  }

  int size() {
    return threads.size();
  }
}
