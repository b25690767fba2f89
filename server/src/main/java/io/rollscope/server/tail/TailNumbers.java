package io.rollscope.server.tail;

import io.rollscope.formats.scan.Skipped;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What following a folder tells about itself, since the start.
 *
 * @param files followed now
 * @param bytesRead again after a file was rewritten
 * @param lagBytes in the files and not yet durable; an unfinished last line counts
 * @param lagSeconds since everything read was last durable
 * @param spans told, the open and the closed form each
 * @param requests that became durable
 * @param retries because the store could not take a request at that moment
 * @param refused spans, by reason
 * @param retold spans whose end is another than was told first: their files were read out of order
 * @param skippedLines that could not be read, with examples
 * @param lastError what is wrong now, or null
 */
public record TailNumbers(
    Path folder,
    int files,
    long bytesRead,
    long lagBytes,
    double lagSeconds,
    long spans,
    long requests,
    long retries,
    Map<String, Long> refused,
    long retold,
    long skippedLines,
    List<Skipped.Example> examples,
    String lastError) {}
