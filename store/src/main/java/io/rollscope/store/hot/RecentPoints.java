package io.rollscope.store.hot;

import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.MetricPoint;
import io.rollscope.otlp.record.Origin;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Which metric points came in lately, by 64-bit hashes of all that they say: a sender that got no
 * answer sends them again. Two generations, so that the older half is forgotten at once.
 */
final class RecentPoints {
  private static final int MOST = 1 << 20;
  private static final int FIRST = 1 << 10;
  private static final long HALF_AN_HOUR_NS = 1_800_000_000_000L;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private long[] newer = new long[FIRST];
  private long[] older = new long[0];
  private int count;
  private long sinceNs;
  private Origin lastOrigin;
  private long lastOriginHash;

  /** Adds a point; false if it was there. */
  boolean add(MetricPoint point, long receivedNs) {
    if (count == 0) {
      sinceNs = receivedNs;
    } else if (count == MOST || receivedNs - sinceNs > HALF_AN_HOUR_NS) {
      older = newer;
      newer = new long[FIRST];
      count = 0;
      sinceNs = receivedNs;
    }
    long hash = hash(point);
    if (contains(older, hash) || !put(newer, hash)) {
      return false;
    }
    if (++count * 2 > newer.length) {
      long[] wider = new long[newer.length * 2];
      for (long one : newer) {
        if (one != 0) {
          put(wider, one);
        }
      }
      newer = wider;
    }
    return true;
  }

  void clear() {
    newer = new long[FIRST];
    older = new long[0];
    count = 0;
  }

  private static boolean contains(long[] table, long hash) {
    if (table.length == 0) {
      return false;
    }
    int at = (int) hash & table.length - 1;
    while (table[at] != 0) {
      if (table[at] == hash) {
        return true;
      }
      at = at + 1 & table.length - 1;
    }
    return false;
  }

  private static boolean put(long[] table, long hash) {
    int at = (int) hash & table.length - 1;
    while (table[at] != 0) {
      if (table[at] == hash) {
        return false;
      }
      at = at + 1 & table.length - 1;
    }
    table[at] = hash;
    return true;
  }

  @SuppressWarnings("ReferenceEquality") // all points of a resource share it
  private long hash(MetricPoint p) {
    if (p.origin() != lastOrigin) {
      lastOrigin = p.origin();
      lastOriginHash = mix(text(p.origin().instance()), bytes(p.origin().attributes()));
    }
    long hash = mix(lastOriginHash, bytes(p.attributes()));
    hash = mix(hash, text(p.name()));
    hash = mix(hash, text(p.unit()) * 31 + text(p.kind()));
    hash = mix(hash, text(p.run()) * 31 + text(p.temporality()));
    hash = mix(hash, p.startNs());
    hash = mix(hash, p.timeNs());
    hash = mix(hash, number(p.value()) + (p.stale() ? 1 : 0));
    if (p.count() != null) {
      hash = mix(hash, p.count());
      hash = mix(hash, number(p.sum()));
      hash = mix(hash, number(p.min()) * 31 + number(p.max()));
      hash = mix(hash, Arrays.hashCode(p.bounds()) * 31L + Arrays.hashCode(p.values()));
      hash = mix(hash, Arrays.hashCode(p.counts()));
      MetricPoint.Exponential more = p.exponential();
      if (more != null) {
        hash = mix(hash, more.scale() * 31L + more.zeroCount());
        hash = mix(hash, number(more.zeroThreshold()) * 31 + more.offset());
        hash = mix(hash, more.negativeOffset() * 31L + Arrays.hashCode(more.negativeCounts()));
      }
    }
    hash = mix(hash, p.trainStep() == null ? -1 : p.trainStep());
    return hash == 0 ? 1 : hash;
  }

  private static long number(Double value) {
    return value == null ? -1 : Double.doubleToRawLongBits(value);
  }

  private static long text(String text) {
    return text == null ? 0 : text.hashCode() * 0x9E3779B97F4A7C15L + text.length();
  }

  private static long bytes(Attributes attributes) {
    byte[] b = attributes.bytes();
    long hash = (long) attributes.to() - attributes.from();
    int at = attributes.from();
    for (; at + 8 <= attributes.to(); at += 8) {
      hash = mix(hash, (long) LONG.get(b, at));
    }
    for (; at < attributes.to(); at++) {
      hash = mix(hash, b[at]);
    }
    return hash;
  }

  private static long mix(long hash, long value) {
    long x = (hash ^ value) * 0x9E3779B97F4A7C15L;
    x = (x ^ x >>> 32) * 0xD6E8FEB86659FD93L;
    return x ^ x >>> 29;
  }
}
