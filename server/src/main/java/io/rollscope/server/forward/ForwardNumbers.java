package io.rollscope.server.forward;

import java.util.Map;

/**
 * How forwarding to one backend goes.
 *
 * @param url without what is secret in it
 * @param dropped spans, by reason
 * @param failure why the newest attempt failed, or null
 */
public record ForwardNumbers(
    String url,
    long spans,
    Map<String, Long> dropped,
    long retries,
    long queuedBytes,
    String failure) {}
