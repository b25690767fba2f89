package io.rollscope.core.view;

import java.util.List;

/**
 * Spans of many sessions by column, made to be small: for reports that carry their data with them.
 * Spans stand lane by lane, by start; a lane is a session or, after all sessions, a track of a
 * process's work. Words stand once in a list and are named by their place in it, -1 for none.
 *
 * <p>Where the time of a lane went is told in pieces, one after the other from {@code laneFromNs}
 * on: whoever reads them adds lengths and needs no rule. Numbers that repeat are preferred to
 * times, as those do not compress.
 *
 * @param fromNs the first start
 * @param toNs the last end
 * @param nameStages the stage of each of {@code names}
 * @param kindWorks per kind: whether its spans are work, which containers are not
 * @param tracks names of the lanes that are no sessions
 * @param pathStages per place in the tree of stages within stages: the stage there; parents first
 * @param pathParents the place around it, -1 at the top
 * @param laneSession per lane of a session: its place in {@link SessionColumns}
 * @param laneSpans per lane: how many spans it has
 * @param lanePieces per lane: in how many pieces its time is
 * @param laneFromNs per lane: when its time begins, after {@code fromNs}
 * @param laneNs per lane: how long that time is
 * @param laneGroup per lane of a session: a number that the sessions of its group share, or -1
 * @param measured per lane of a session: 1 if it counts in the distributions of how long they took
 * @param relative per lane of a session: 1 if its clock has no known beginning
 * @param name per span: place in {@code names}; {@code kind}, {@code outcome} and {@code worker}
 *     likewise
 * @param parent per span: which span of its lane it lies in, counted from the lane's first
 * @param depth per span: how deep it lies in its lane
 * @param path per span of a session that is work: its place in the tree, else -1
 * @param critical per span: 1 if it, or one in it, was what its session was doing at some time
 * @param startNs per span: start after that of the span before; of a lane's first after the
 *     beginning of its lane, as clocks of lanes may be years apart
 * @param durationNs per span: how long it took; for an open one up to the last event
 * @param open which spans have not ended
 * @param errorAt which spans say why they failed
 * @param error what these say: places in {@code errors}
 * @param clockDisagrees which spans took another time by a monotonic clock
 * @param pieceLeaf per piece: whose time it is: twice how many spans after that of the piece before
 *     (at first: after the lane's first), or for a wait twice its number in {@link
 *     io.rollscope.core.accounting.Pieces} and 1
 * @param pieceEnd per piece: with what it ends: 2n + 1 with the end, 2n with the start of the span
 *     n after its own (of a wait: after that of the span told before it); 0 is the end of the
 *     lane's time for its last piece, else the next of {@code pieceNs}
 * @param pieceNs ends of pieces after the beginning of their lane
 */
public record SpanColumns(
    long fromNs,
    long toNs,
    List<String> names,
    List<String> nameStages,
    List<String> kinds,
    List<Boolean> kindWorks,
    List<String> outcomes,
    List<String> workers,
    List<String> errors,
    List<String> tracks,
    List<String> pathStages,
    List<Integer> pathParents,
    int[] laneSession,
    int[] laneSpans,
    int[] lanePieces,
    long[] laneFromNs,
    long[] laneNs,
    int[] laneGroup,
    int[] measured,
    int[] relative,
    int[] name,
    int[] kind,
    int[] outcome,
    int[] worker,
    int[] parent,
    int[] depth,
    int[] path,
    int[] critical,
    long[] startNs,
    long[] durationNs,
    int[] open,
    int[] errorAt,
    int[] error,
    int[] clockDisagrees,
    int[] pieceLeaf,
    int[] pieceEnd,
    long[] pieceNs) {}
