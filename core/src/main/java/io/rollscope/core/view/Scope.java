package io.rollscope.core.view;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.table.SpanTable;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Which part of a run a view looks at.
 *
 * @param kind the rule
 * @param batch with {@link Kind#BATCH} the id of the batch, else null
 */
public record Scope(Kind kind, String batch) implements Selection {

  /** The rules. */
  public enum Kind {
    /** Unfinished sessions of any batch, and all sessions of the batch with the newest event. */
    ACTIVE,
    /** Events of the batch with the highest steps: XTuner's rule. */
    LATEST,
    /** Everything. */
    ALL,
    /** Events of one batch. */
    BATCH
  }

  public static final Scope ACTIVE = new Scope(Kind.ACTIVE, null);
  public static final Scope LATEST = new Scope(Kind.LATEST, null);
  public static final Scope ALL = new Scope(Kind.ALL, null);

  @Override
  public Scope scope() {
    return this;
  }

  /** The scope with this name. */
  public static Scope named(String name) {
    return switch (name) {
      case "active" -> ACTIVE;
      case "latest", "latest-produce-batch" -> LATEST;
      case "all" -> ALL;
      default ->
          throw new IllegalArgumentException(
              "scope: " + name + " (expected: active, latest or all)");
    };
  }

  /** Only events of this batch. */
  public static Scope ofBatch(String id) {
    return new Scope(Kind.BATCH, Objects.requireNonNull(id));
  }

  /** The word for reports. */
  public String word() {
    return kind == Kind.BATCH ? "batch " + batch : kind.name().toLowerCase(java.util.Locale.ROOT);
  }

  /** Whether it is single events that are in scope, not sessions as a whole. */
  public boolean goesByEvents() {
    return kind == Kind.LATEST || kind == Kind.BATCH;
  }

  /** Which coordinates are in scope, by number; null when the scope does not go by events. */
  public boolean[] kept(SpanTable table) {
    return switch (kind) {
      case ACTIVE, ALL -> null;
      case LATEST -> latest(table);
      case BATCH -> matching(table, c -> batch.equals(batchOf(c)));
    };
  }

  /** Whether anything in the table is in this scope. */
  public boolean isIn(SpanTable table) {
    boolean[] kept = kept(table);
    for (int id = 0; kept != null && id < kept.length; id++) {
      if (kept[id]) {
        return true;
      }
    }
    return kept == null;
  }

  /** All batches of a run, in the order of their steps. */
  public static List<String> batches(SpanTable table) {
    return IntStream.range(0, table.coordinatesCount())
        .mapToObj(table::coordinatesOf)
        .filter(c -> batchOf(c) != null)
        .sorted(ScopeRule.BY_STEPS)
        .map(Scope::batchOf)
        .distinct()
        .toList();
  }

  private static boolean[] latest(SpanTable table) {
    int best = newest(table, c -> c.batch() != null);
    if (best >= 0) {
      String id = table.coordinatesOf(best).batch();
      return matching(table, c -> id.equals(c.batch()));
    }
    best = newest(table, c -> c.trainStep() != null);
    if (best < 0) {
      return null;
    }
    Coordinates key = table.coordinatesOf(best);
    return matching(table, c -> c.trainStep() != null && ScopeRule.BY_STEPS.compare(c, key) == 0);
  }

  private static int newest(SpanTable table, java.util.function.Predicate<Coordinates> candidate) {
    int best = -1;
    for (int id = 0; id < table.coordinatesCount(); id++) {
      if (table.lastSeenRow(id) != Integer.MAX_VALUE
          && candidate.test(table.coordinatesOf(id))
          && (best < 0 || isNewer(table, id, best))) {
        best = id;
      }
    }
    return best;
  }

  private static boolean isNewer(SpanTable table, int id, int best) {
    int order = ScopeRule.BY_STEPS.compare(table.coordinatesOf(id), table.coordinatesOf(best));
    if (order == 0) {
      order = Long.compare(table.lastSeen(id), table.lastSeen(best));
    }
    return order > 0 || (order == 0 && table.lastSeenRow(id) < table.lastSeenRow(best));
  }

  private static boolean[] matching(
      SpanTable table, java.util.function.Predicate<Coordinates> wanted) {
    boolean[] kept = new boolean[table.coordinatesCount()];
    for (int id = 0; id < kept.length; id++) {
      kept[id] = wanted.test(table.coordinatesOf(id));
    }
    return kept;
  }

  /** Id of the batch: the source's, else made of the steps; null when neither is known. */
  public static String batchOf(Coordinates c) {
    return c.batch() != null ? c.batch() : batchOf(c.trainStep(), c.modelStep(), c.futureStep());
  }

  /** Id of a batch that only its steps are known of; null when the training step is not. */
  public static String batchOf(Long trainStep, Long modelStep, Long futureStep) {
    if (trainStep == null) {
      return null;
    }
    return "train_step="
        + trainStep
        + (modelStep == null ? "" : "/model_step=" + modelStep)
        + (futureStep == null ? "" : "/future_step=" + futureStep);
  }
}
