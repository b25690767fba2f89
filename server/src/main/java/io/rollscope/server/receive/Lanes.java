package io.rollscope.server.receive;

import java.util.concurrent.Executor;

/**
 * Where bodies are decompressed and decoded; both may refuse. Large ones have threads of their own,
 * so that small ones never wait for them.
 *
 * @param small for requests of at most {@link Limits#SMALL} bytes, decompressed
 * @param large for all others
 */
public record Lanes(Executor small, Executor large) {}
