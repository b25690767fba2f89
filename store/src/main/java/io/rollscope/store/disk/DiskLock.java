package io.rollscope.store.disk;

import java.io.Closeable;

/** A lock held until it is closed or the process ends. */
public interface DiskLock extends Closeable {}
