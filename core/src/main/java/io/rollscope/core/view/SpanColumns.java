package io.rollscope.core.view;

import java.util.List;

/**
 * Spans of many sessions by column, made to be small: for reports that carry their data with them.
 * Spans stand lane by lane, by start; a lane is a session or, after all sessions, a track of a
 * process's work. Words stand once in a list and are named by their place in it, -1 for none.
 *
 * @param fromNs the first start
 * @param toNs the last end
 * @param nameStages the stage of each of {@code names}
 * @param tracks names of the lanes that are no sessions
 * @param laneSession per lane of a session: its place in {@link SessionColumns}
 * @param laneSpans per lane: how many spans it has
 * @param name per span: place in {@code names}; {@code kind}, {@code outcome} and {@code worker}
 *     likewise
 * @param parent per span: which span of its lane it lies in, counted from the lane's first
 * @param depth per span: how deep it lies in its lane
 * @param startNs per span: start after that of the span before; of a lane's first after {@code
 *     fromNs}
 * @param durationNs per span: how long it took; for an open one up to the last event
 * @param selfNs per span: how long it was what its session was doing; -1 for all of its time
 * @param open which spans have not ended
 * @param errorAt which spans say why they failed
 * @param error what these say: places in {@code errors}
 * @param byIds whether {@code parent} is what the source says, not guessed from time
 */
public record SpanColumns(
    long fromNs,
    long toNs,
    boolean byIds,
    List<String> names,
    List<String> nameStages,
    List<String> kinds,
    List<String> outcomes,
    List<String> workers,
    List<String> errors,
    List<String> tracks,
    int[] laneSession,
    int[] laneSpans,
    int[] name,
    int[] kind,
    int[] outcome,
    int[] worker,
    int[] parent,
    int[] depth,
    long[] startNs,
    long[] durationNs,
    long[] selfNs,
    int[] open,
    int[] errorAt,
    int[] error) {}
