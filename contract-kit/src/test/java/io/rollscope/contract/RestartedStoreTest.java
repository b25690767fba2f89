package io.rollscope.contract;

import java.util.List;
import java.util.Set;

/** The server was started again half-way, and when all had come in. */
class RestartedStoreTest extends StoreContract {
  /** An op whose parent is sealed already is not accounted with it (contracts.md 7.6). */
  private static final String OP_INSIDE_AN_OP = "\"forward\"";

  /**
   * Not yet equal: a run that is not live ends with its last span, though a verdict with late facts
   * came after it; points that are repeated after a restart count twice (contracts.md 7.6).
   */
  private static final Set<String> NOT_YET = Set.of("rewards-after-the-verdict", "metrics");

  @Override
  protected List<World> worlds() {
    return super.worlds().stream()
        .filter(world -> !NOT_YET.contains(world.name()))
        .filter(world -> world.lines().stream().noneMatch(line -> line.contains(OP_INSIDE_AN_OP)))
        .toList();
  }

  /** The same: findings say up to when open work counts, even where none is open. */
  @Override
  protected boolean comparesFindings(World world) {
    return !world.name().equals("verdict-later-than-work");
  }

  @Override
  void take(List<World> worlds, TestedStore into) throws Exception {
    for (World world : worlds) {
      List<String> lines = world.shuffled();
      send(world, lines.subList(0, lines.size() / 2), into);
    }
    into.restart();
    for (World world : worlds) {
      List<String> lines = world.shuffled();
      send(world, lines.subList(lines.size() / 2, lines.size()), into);
    }
    into.restart();
  }
}
