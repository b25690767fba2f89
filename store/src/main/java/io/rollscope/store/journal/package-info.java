/**
 * The journal: append-only files of checksummed frames, group-committed with fsync. A request is
 * acknowledged after its frame is durable; after a crash every acknowledged frame is handed out
 * again. It knows where frames came from, not what they mean. Format: docs/storage.md.
 */
package io.rollscope.store.journal;
