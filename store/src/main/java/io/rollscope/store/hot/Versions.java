package io.rollscope.store.hot;

import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.Said;
import io.rollscope.otlp.record.SpanRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Several versions of one span become one, the same in whatever order they arrive (contracts.md
 * 3.12): closed beats open, the later end wins, then the larger by comparison; what the others say
 * in addition is added.
 */
final class Versions {
  /** More different versions than this of one span are not sensible; the weakest go. */
  private static final int MOST = 8;

  private static final Comparator<SpanRecord> STRONGEST_FIRST =
      Comparator.comparing(SpanRecord::isOpen)
          .thenComparing(Comparator.comparingLong(SpanRecord::endNs).reversed())
          .thenComparing(Comparator.comparingLong(SpanRecord::startNs).reversed())
          .thenComparing(Comparator.comparing(SpanRecord::name).reversed())
          .thenComparing((a, b) -> compare(b.attributes(), a.attributes()))
          .thenComparing((a, b) -> Long.compareUnsigned(b.parentId(), a.parentId()))
          .thenComparing(Comparator.comparing(SpanRecord::kind).reversed())
          .thenComparing(Comparator.comparing(SpanRecord::outcome).reversed())
          .thenComparing((a, b) -> text(b.errorType()).compareTo(text(a.errorType())))
          .thenComparing((a, b) -> text(b.errorMessage()).compareTo(text(a.errorMessage())));

  private Versions() {}

  /** Adds a version to a span. Returns false if it is known already. */
  static boolean add(HotSpan span, SpanRecord version) {
    List<SpanRecord> all = new ArrayList<>();
    if (span.versions == null) {
      all.add(span.told);
    } else {
      all.addAll(span.versions);
    }
    for (SpanRecord known : all) {
      if (STRONGEST_FIRST.compare(known, version) == 0) {
        return false;
      }
    }
    all.add(version);
    all.sort(STRONGEST_FIRST);
    List<SpanRecord> kept = List.copyOf(all.subList(0, Math.min(MOST, all.size())));
    span.versions = kept;
    SpanRecord first = kept.get(0);
    Said said = first.said();
    for (SpanRecord other : kept.subList(1, kept.size())) {
      said = either(said, other.said());
    }
    span.told = with(first, said, first.attributes());
    span.counters = null;
    return true;
  }

  private static int compare(Attributes a, Attributes b) {
    return Arrays.compareUnsigned(a.bytes(), a.from(), a.to(), b.bytes(), b.from(), b.to());
  }

  private static String text(String value) {
    return value == null ? "" : value;
  }

  static SpanRecord withoutAttributes(SpanRecord span) {
    return with(span, span.said(), Attributes.NONE);
  }

  static SpanRecord detached(SpanRecord span) {
    return with(span, span.said(), span.attributes().detached());
  }

  private static SpanRecord with(SpanRecord span, Said said, Attributes attributes) {
    return new SpanRecord(
        span.traceHigh(),
        span.traceLow(),
        span.spanId(),
        span.parentId(),
        span.name(),
        span.kind(),
        span.startNs(),
        span.endNs(),
        span.outcome(),
        span.errorType(),
        span.errorMessage(),
        said,
        span.origin(),
        attributes);
  }

  private static Said either(Said a, Said b) {
    if (a.equals(b)) {
      return a;
    }
    return new Said(
        either(a.run(), b.run()),
        either(a.session(), b.session()),
        either(a.lane(), b.lane()),
        a.alone() || b.alone(),
        either(a.batch(), b.batch()),
        either(a.trainStep(), b.trainStep()),
        either(a.modelStep(), b.modelStep()),
        either(a.futureStep(), b.futureStep()),
        either(a.task(), b.task()),
        either(a.taskName(), b.taskName()),
        either(a.stage(), b.stage()),
        either(a.attempt(), b.attempt()),
        either(a.workerRole(), b.workerRole()),
        either(a.workerRank(), b.workerRank()),
        either(a.status(), b.status()),
        either(a.sourceStatus(), b.sourceStatus()),
        either(a.reason(), b.reason()));
  }

  private static <T> T either(T a, T b) {
    return a != null ? a : b;
  }
}
