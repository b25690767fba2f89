package io.rollscope.contract;

import java.util.List;
import java.util.Set;

/** An earlier version sealed everything, many sessions in several segments (contracts.md 7.7). */
class UpgradedStoreTest extends StoreContract {
  /**
   * Without ops inside ops, as random worlds have: one that is sealed is not accounted anew.
   * Without facts that came late: an earlier version kept none.
   */
  @Override
  protected List<World> worlds() {
    Set<String> others = Set.of("ops-inside-ops", "rewards-after-the-verdict");
    return named().stream().filter(world -> !others.contains(world.name())).toList();
  }

  /** The board lists no session that left before; a timeline has self times as they were sealed. */
  @Override
  protected Set<String> answers() {
    return Set.of(
        "hotspots", "sessions", "sessionList", "session", "errors", "occupancy", "batches");
  }

  @Override
  void take(List<World> worlds, TestedStore into) throws Exception {
    for (World world : worlds) {
      List<String> lines = world.shuffled();
      send(world, lines.subList(0, lines.size() / 2), into);
    }
    into.seal();
    for (World world : worlds) {
      List<String> lines = world.shuffled();
      send(world, lines.subList(lines.size() / 2, lines.size()), into);
    }
    into.seal();
    into.upgrade();
  }
}
