package io.rollscope.store.journal;

import java.time.Instant;

/** Whether the journal can write. */
public sealed interface JournalHealth {
  /** The last write succeeded, or none was tried yet. */
  record Ok() implements JournalHealth {}

  /** The last write failed; the next append tries again. */
  record Failing(String reason, Instant since) implements JournalHealth {}
}
