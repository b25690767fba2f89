package io.rollscope.contract;

import java.util.List;
import org.junit.jupiter.api.Tag;

/** The first half of each world was sealed before the second came in. */
@Tag("unequal")
class HalfSealedStoreTest extends StoreContract {
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
