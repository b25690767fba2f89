package io.rollscope.contract;

import java.util.List;

/** Everything that has come to rest is in segments. */
class SealedStoreTest extends StoreContract {
  @Override
  void take(List<World> worlds, TestedStore into) throws Exception {
    for (World world : worlds) {
      send(world, world.lines(), into);
    }
    into.seal();
  }
}
