package io.rollscope.store;

import io.rollscope.store.journal.JournalNumbers;
import io.rollscope.store.journal.RecoveryReport;
import java.util.Map;

/**
 * What the store tells about itself, since it was opened.
 *
 * @param duplicates spans that were known already
 * @param duplicatePoints metric points that were known already
 * @param cutEvents events and links of spans left out because they are too long
 * @param openSpans now
 * @param hotSpans in memory now, open ones included
 * @param traces in memory now
 * @param sessions in memory now
 * @param processes known now
 * @param waitingVerdicts that have not found their session
 * @param refused by reason
 * @param metricProblems by problem, since it was opened
 * @param segments Parquet files now, and their rows and bytes
 * @param damagedSegments set aside now
 * @param sealFailures attempts to write a segment that failed
 */
public record StoreNumbers(
    JournalNumbers journal,
    RecoveryReport recovery,
    long spans,
    long starts,
    long verdicts,
    long beats,
    long points,
    long duplicates,
    long duplicatePoints,
    long repaired,
    long cutEvents,
    long openSpans,
    long hotSpans,
    long traces,
    long sessions,
    long processes,
    long lostProcesses,
    long waitingVerdicts,
    Map<String, Long> refused,
    Map<String, Long> metricProblems,
    long segments,
    long segmentRows,
    long segmentBytes,
    long damagedSegments,
    long seals,
    long sealFailures,
    long queuedRequests) {}
