package io.rollscope.contract;

import java.util.List;

/** Folders that {@code rollscope import} sent to a server, which has sealed them since. */
class ImportedStoreTest extends StoreContract {
  @Override
  protected List<World> named() {
    return Worlds.named();
  }

  @Override
  void take(List<World> worlds, TestedStore into) throws Exception {
    for (World world : worlds) {
      into.importFolder(world.write(folder.resolve("imported"), world.lines()));
    }
    into.seal();
  }
}
