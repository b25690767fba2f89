package io.rollscope.cli.remote;

import java.util.List;

/**
 * What a report needs of the API's timeline: spans by column, lane by lane and by start. Times
 * count from {@code fromNs}; {@code parent} is a place in the same lists.
 */
public record RemoteTimeline(
    long fromNs,
    List<String> lanes,
    List<String> names,
    List<String> stages,
    List<String> kinds,
    List<String> outcomes,
    List<String> errors,
    int[] lane,
    int[] name,
    int[] stage,
    int[] kind,
    int[] outcome,
    int[] error,
    int[] parent,
    int[] depth,
    long[] startNs,
    long[] durationNs,
    long[] selfNs,
    boolean[] open) {}
