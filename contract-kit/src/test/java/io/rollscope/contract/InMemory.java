package io.rollscope.contract;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A store that has every world in memory, in the order of its sending; one for all tests. */
final class InMemory {
  private static TestedStore store;

  private InMemory() {}

  static synchronized TestedStore of(List<World> worlds) throws Exception {
    if (store == null) {
      Path data = Files.createTempDirectory("rollscope-contract");
      store = new TestedStore(data);
      for (World world : worlds) {
        StoreContract.send(world, world.lines(), store);
      }
    }
    return store;
  }
}
