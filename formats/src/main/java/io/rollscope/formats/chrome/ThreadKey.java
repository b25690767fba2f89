package io.rollscope.formats.chrome;

/** A thread as the source knows it. */
record ThreadKey(ProcessKey process, SourceId tid) {}
