package io.rollscope.formats.chrome;

import io.rollscope.core.model.Worker;

/**
 * How the clock of one process was put right.
 *
 * @param worker who it was; without a rank if that is no number
 * @param pid its process id in the source
 * @param offsetNs what was added to its times
 * @param spreadNs how far the single comparisons lie apart
 * @param pairs how many spans were compared; 0 if it is the reference or could not be compared
 */
public record ProcessClock(Worker worker, String pid, long offsetNs, long spreadNs, int pairs) {}
