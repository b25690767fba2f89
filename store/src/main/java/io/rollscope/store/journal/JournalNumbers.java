package io.rollscope.store.journal;

/**
 * What the journal tells about itself, since it was opened.
 *
 * @param framesAppended acknowledged
 * @param bytesAppended acknowledged, heads included
 * @param framesRefused because too many were waiting
 * @param failures of the disk, each of which may have failed many frames
 * @param forces how often, and how long each took
 * @param framesInFlight accepted and not yet durable
 * @param bytesInFlight likewise
 * @param cutBytes cut from the last file when the journal was opened
 * @param files journal files in the folder
 */
public record JournalNumbers(
    long framesAppended,
    long bytesAppended,
    long framesRefused,
    long failures,
    LatencyHistogram forces,
    int framesInFlight,
    long bytesInFlight,
    long cutBytes,
    int files) {}
