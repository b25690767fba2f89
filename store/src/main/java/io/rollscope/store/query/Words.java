package io.rollscope.store.query;

import java.util.List;
import java.util.stream.Collectors;

/** SQL that several reports share. */
final class Words {
  /** Closed spans that are work: no containers. */
  static final String CLOSED_WORK = "kind NOT IN ('batch', 'task', 'session')";

  /** Spans of which a record came: nothing that is only inferred. */
  static final String SEEN = "(end_ns IS NOT NULL OR name <> '(not yet seen)')";

  /** Spans that are work: no containers, nothing that is only inferred. */
  static final String WORK = CLOSED_WORK + " AND " + SEEN;

  /** Kind of the line a span is counted in: what is done for no session is no phase. */
  static final String LINE_KIND =
      "CASE WHEN session IS NULL AND kind = 'phase' THEN 'op' ELSE kind END";

  /** Time of a session that nothing explains, by all that is known of it. */
  static final String UNACCOUNTED =
      "unaccounted_ns - coalesce(list_sum(list_transform(restated, r -> r.to_ns)), 0)::BIGINT";

  /** Error text of a span, as folder reports show it. */
  static final String ERROR =
      "coalesce(nullif(concat_ws(': ', error_type, error_message), ''), '(no message)')";

  /** As {@link io.rollscope.core.model.Worker#label}. */
  static final String WORKER =
      "CASE WHEN worker_role IS NULL THEN 'rank ' || worker_rank"
          + " ELSE '[' || worker_role || ']' || coalesce(' rank ' || worker_rank, '') END";

  /** The batch id that steps give where the source names none. */
  static final String BATCH_OF_STEPS =
      "'train_step=' || train_step || coalesce('/model_step=' || model_step, '')"
          + " || coalesce('/future_step=' || future_step, '')";

  /** The number a span says under the first of these keys that it has, or NULL. */
  static String numberSaid(List<String> keys) {
    String text =
        keys.stream()
            .map(key -> "attributes['" + key + "']")
            .collect(Collectors.joining(", ", "coalesce(", ")"));
    return "CASE WHEN translate("
        + text
        + ", '0123456789+-.eE', '') = '' AND length("
        + text
        + ") <= 40 THEN TRY_CAST("
        + text
        + " AS DOUBLE) END";
  }

  private Words() {}
}
