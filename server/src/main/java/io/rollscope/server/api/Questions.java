package io.rollscope.server.api;

import io.rollscope.core.view.LiveReport;
import io.rollscope.store.LiveQuery;
import io.rollscope.store.RunSummary;
import io.rollscope.store.StoreHealth;
import java.io.IOException;
import java.util.List;

/** What the API asks the store. */
public interface Questions {
  /** All runs, newest activity first. */
  List<RunSummary> runs();

  LiveReport live(LiveQuery query);

  /** Changes whenever a live board may have changed. */
  long version();

  /** Nanoseconds since the epoch. */
  long nowNs();

  StoreHealth health();

  /** Deletes all data of a run. Returns how many spans went. */
  long deleteRun(String run) throws IOException;
}
