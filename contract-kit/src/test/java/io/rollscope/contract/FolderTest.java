package io.rollscope.contract;

import io.rollscope.core.report.RunReports;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The same lines in another order, some of them twice. */
class FolderTest extends RunReportsContract {
  @Override
  protected void take(List<World> worlds) {}

  @Override
  protected Set<String> answers() {
    Set<String> all = new HashSet<>(Questions.ANSWERS);
    all.remove("live"); // Of events at one instant the one read last is the latest stage.
    return all;
  }

  @Override
  protected RunReports open(World world) throws IOException {
    return Folders.run(world.write(folder.resolve("shuffled"), world.shuffled()), world.run());
  }

  @Override
  protected void close() {}
}
