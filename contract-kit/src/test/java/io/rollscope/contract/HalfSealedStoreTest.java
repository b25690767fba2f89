package io.rollscope.contract;

import java.util.List;
import java.util.Set;

/** The first half of each world was sealed before the second came in. */
class HalfSealedStoreTest extends StoreContract {
  /** A second version of a span, or of its session's batch, does not change a segment. */
  private static final Set<String> TOLD_ANEW =
      Set.of("two-versions-with-equal-ends", "open-and-closed-session-span");

  @Override
  protected List<World> named() {
    return super.named().stream().filter(world -> !TOLD_ANEW.contains(world.name())).toList();
  }

  @Override
  void take(List<World> worlds, TestedStore into) throws Exception {
    for (World world : worlds) {
      send(world, world.lines().subList(0, world.lines().size() / 2), into);
    }
    into.seal();
    for (World world : worlds) {
      send(world, world.lines().subList(world.lines().size() / 2, world.lines().size()), into);
    }
    into.look();
  }
}
