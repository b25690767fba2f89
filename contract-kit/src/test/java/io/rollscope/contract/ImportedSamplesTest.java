package io.rollscope.contract;

import io.rollscope.core.report.RunReports;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Folders of every framework, imported and sealed, answer as they did as folders. */
class ImportedSamplesTest extends RunReportsContract {
  private final Map<String, TestedStore> stores = new HashMap<>();

  /** On its way to a server, a clock that counts from its source's own zero gains a nanosecond. */
  private static final Set<String> OWN_CLOCK =
      Set.of(
          "areal/current",
          "requests-pr509.jsonl",
          "requests-pr539-description-r0.jsonl",
          "sessions-pr539-r0.jsonl");

  @Override
  protected List<World> worlds() {
    return Worlds.samples().stream().filter(world -> !OWN_CLOCK.contains(world.name())).toList();
  }

  /** What lists single sessions and spans tells ids, and a root, that only a server has. */
  @Override
  protected Set<String> answers() {
    return Set.of("hotspots", "sessions", "errors", "occupancy", "batches");
  }

  @Override
  protected void take(List<World> worlds) throws Exception {
    for (World world : worlds) {
      TestedStore store = new TestedStore(folder.resolve("data-" + stores.size()));
      stores.put(world.name(), store);
      store.importFolder(world.folder());
      store.seal();
    }
  }

  @Override
  protected RunReports open(World world) {
    return stores.get(world.name()).run(world.run());
  }

  @Override
  protected void close() throws IOException {
    for (TestedStore store : stores.values()) {
      store.close();
    }
  }
}
