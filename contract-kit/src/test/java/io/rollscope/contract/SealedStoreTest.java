package io.rollscope.contract;

import java.util.List;
import java.util.Set;

/** Everything that has come to rest is in segments. */
class SealedStoreTest extends StoreContract {
  @Override
  protected Set<String> answers() {
    return Set.of(
        "hotspots",
        "sessions",
        "sessionList",
        "session",
        "errors",
        "occupancy",
        "batches",
        "timeline");
  }

  @Override
  void take(List<World> worlds, TestedStore into) throws Exception {
    for (World world : worlds) {
      send(world, world.lines(), into);
    }
    into.seal();
  }
}
