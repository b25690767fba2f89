package io.rollscope.core.table;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Status;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.time.Nanos;

/**
 * What a source says of a whole session, beside its spans.
 *
 * @param key id of the session; when taken already, {@code #2}, {@code #3} is added
 * @param traceId id of its trace, or null when the key is it
 * @param task id of the task, or null
 * @param taskSpace within what the task's id is unique, or null for the whole run
 * @param at where it belongs
 * @param submittedNs when it was handed in, or {@link Nanos#UNKNOWN}
 * @param finalisedNs when its fate was decided, or {@link Nanos#UNKNOWN}
 * @param verdict its fate if the source has decided, or null
 * @param reason why, or null
 * @param rewardAndTokens what it earned and used, as far as its source says
 * @param relativeClock whether its times count from an unknown zero
 */
public record SessionFacts(
    String key,
    String traceId,
    String task,
    String taskSpace,
    Coordinates at,
    long submittedNs,
    long finalisedNs,
    Status verdict,
    String reason,
    RewardAndTokens rewardAndTokens,
    boolean relativeClock) {}
