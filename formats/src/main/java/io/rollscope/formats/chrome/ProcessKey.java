package io.rollscope.formats.chrome;

import io.rollscope.core.model.Worker;
import java.util.Comparator;

/**
 * A process as the source knows it.
 *
 * @param role what it does, or null
 */
record ProcessKey(Rank rank, String role, SourceId pid) {

  /** By rank; then role, named ones first; then pid. */
  static final Comparator<ProcessKey> ORDER =
      Comparator.comparing(ProcessKey::rank, Rank.ORDER)
          .thenComparing(p -> p.role == null)
          .thenComparing(p -> p.role == null ? "" : p.role)
          .thenComparing(ProcessKey::pid, SourceId.BY_VALUE);

  boolean sharesWorker(ProcessKey other) {
    return rank.equals(other.rank) && java.util.Objects.equals(role, other.role);
  }

  Worker worker() {
    return new Worker(role, rank.number());
  }
}
