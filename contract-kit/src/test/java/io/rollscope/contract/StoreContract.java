package io.rollscope.contract;

import io.rollscope.core.report.RunReports;
import java.nio.file.Path;
import java.util.List;

/** What stores in any state must do. */
abstract class StoreContract extends RunReportsContract {
  private TestedStore store;

  /** Takes in worlds, and brings the store into its state. */
  abstract void take(List<World> worlds, TestedStore into) throws Exception;

  @Override
  protected void take(List<World> worlds) throws Exception {
    store = new TestedStore(folder.resolve("data"));
    take(worlds, store);
  }

  @Override
  protected RunReports open(World world) {
    return store.run(world.run());
  }

  @Override
  protected void close() throws Exception {
    store.close();
  }

  @Override
  protected String referenceName() {
    return "memory";
  }

  @Override
  protected RunReports reference(World world, Path into) throws Exception {
    return InMemory.of(worlds()).run(world.run());
  }

  /** Takes in a world, its requests in this order if it has any. */
  static void send(World world, List<String> lines, TestedStore into) throws Exception {
    if (world.folder() == null) {
      into.take(lines);
    } else {
      into.importFolder(world.folder());
    }
  }
}
