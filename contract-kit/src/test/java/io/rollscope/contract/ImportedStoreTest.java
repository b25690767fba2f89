package io.rollscope.contract;

import java.util.List;
import org.junit.jupiter.api.Tag;

/** Folders that {@code rollscope import} sent to a server, which has sealed them since. */
@Tag("unequal")
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
