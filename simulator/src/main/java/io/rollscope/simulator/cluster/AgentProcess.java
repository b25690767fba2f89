package io.rollscope.simulator.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A process that runs sessions. */
final class AgentProcess {
  final int rank;
  private final Cluster cluster;
  private final Set<Group> groups = new LinkedHashSet<>();
  private ProcessLog log;
  private int starts;
  private boolean isDead;

  AgentProcess(Cluster cluster, int rank) throws IOException {
    this.cluster = cluster;
    this.rank = rank;
    log = cluster.processes().start("agent", rank, 0);
  }

  ProcessLog log() {
    return log;
  }

  boolean isDead() {
    return isDead;
  }

  void take(Group group) throws IOException {
    groups.add(group);
    if (!isDead) {
      group.begin();
    }
  }

  void finished(Group group) {
    groups.remove(group);
  }

  /** It is gone with its sessions; once it is started again it begins them anew. */
  void die(double restartS) throws IOException {
    isDead = true;
    log.kill(cluster.nowNs());
    List<Group> lost = new ArrayList<>(groups);
    groups.clear();
    for (Group group : lost) {
      group.abandon();
    }
    cluster.after(
        restartS,
        () -> {
          List<Group> queued = new ArrayList<>(groups);
          groups.clear();
          isDead = false;
          log = cluster.processes().start("agent", rank, ++starts);
          for (Group group : lost) {
            take(group.again());
          }
          for (Group group : queued) {
            take(group);
          }
        });
  }

  /** The run is over: what it does is given up. */
  void abort(String why) throws IOException {
    for (Group group : new ArrayList<>(groups)) {
      group.cancel(why);
    }
  }
}
