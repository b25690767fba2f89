package io.rollscope.contract;

import io.rollscope.core.report.RunReports;
import java.io.IOException;
import java.util.List;

/** Everything is in memory, as it came in: in any order, some of it twice. */
class HotStoreTest extends RunReportsContract {
  private TestedStore store;

  @Override
  protected void take(List<World> worlds) throws Exception {
    store = new TestedStore(folder.resolve("data"));
    for (World world : worlds) {
      StoreContract.send(world, world.shuffled(), store);
    }
  }

  @Override
  protected RunReports open(World world) {
    return store.run(world.run());
  }

  @Override
  protected void close() throws IOException {
    store.close();
  }
}
