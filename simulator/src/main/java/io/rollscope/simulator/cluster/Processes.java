package io.rollscope.simulator.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Starts the processes of a run: on which hosts, with which clocks, under which ids. */
final class Processes {
  private static final List<String> ENGINE_HOSTS = List.of("gpu", "node", "infer", "h100");
  private static final List<String> AGENT_HOSTS = List.of("cpu", "worker", "env", "rollout");
  private static final List<String> TRAINER_HOSTS = List.of("train", "learner", "megatron", "fsdp");
  private static final int PROCESSES_PER_HOST = 2;

  /** Hosts that keep time by NTP differ so much. */
  private static final double CLOCK_SPREAD_NS = 1_500_000;

  /** Runs begin on some day of autumn 2026. */
  private static final long FIRST_START_NS = 1_793_200_000_000_000_000L;

  private final Draws draws;
  private final Disturbances disturbances;
  private final Spool spool;
  private final String run;
  private final long startNs;
  private final List<ProcessLog> all = new ArrayList<>();

  Processes(Draws draws, Disturbances disturbances, Spool spool) {
    this.draws = draws;
    this.disturbances = disturbances;
    this.spool = spool;
    run = "grpo-%04x".formatted(draws.below(1 << 16, "run"));
    startNs = FIRST_START_NS + draws.below(1 << 20, "start") * 1_000_000_000L;
  }

  /** Starts one, for the n-th time. */
  ProcessLog start(String role, int rank, int times) throws IOException {
    long key = role.hashCode() * 1000L + rank;
    String host = host(role, rank);
    long clock = Math.round(draws.between(-1, 1, "clock", host.hashCode()) * CLOCK_SPREAD_NS);
    long skew = Math.round(disturbances.clockS(host) * 1e9);
    long pid = 5000L + draws.below(60_000, "pid", key, times);
    String instance = uuid(draws.hash("instance", key, times), draws.hash("uuid", key, times));
    ProcessLog log =
        new ProcessLog(
            new ProcessLog.Identity(run, role, rank, host, pid, instance, startNs + clock + skew),
            spool);
    all.add(log);
    return log;
  }

  /** The host of a process. */
  String host(String role, int rank) {
    List<String> names =
        switch (role) {
          case "engine" -> ENGINE_HOSTS;
          case "agent" -> AGENT_HOSTS;
          default -> TRAINER_HOSTS;
        };
    return names.get(draws.below(names.size(), "host " + role)) + "-" + rank / PROCESSES_PER_HOST;
  }

  List<ProcessLog> all() {
    return all;
  }

  private static String uuid(long high, long low) {
    return new java.util.UUID(high & ~0xf000L | 0x4000L, low & ~(3L << 62) | 1L << 63).toString();
  }
}
