package io.rollscope.server.tail;

import io.rollscope.formats.scan.Skipped;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What became of an import.
 *
 * @param spans sent, those that the server rejected included
 * @param rejected by the server, by the reason it gave
 * @param skippedLines that could not be read, with examples
 * @param unrecognised files that look like traces by name but are of no known format
 */
public record ImportResult(
    int files,
    long bytes,
    long spans,
    Map<String, Long> rejected,
    long skippedLines,
    List<Skipped.Example> examples,
    List<Path> unrecognised) {}
