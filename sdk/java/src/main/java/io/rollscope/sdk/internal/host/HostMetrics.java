package io.rollscope.sdk.internal.host;

import io.rollscope.sdk.internal.metric.Meaning;
import io.rollscope.sdk.internal.metric.Metric;
import io.rollscope.sdk.internal.metric.Metrics;
import io.rollscope.sdk.internal.metric.Point;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How many cores the process keeps busy, and its resident memory, as gauges with the labels role
 * and rank. Called by the sender's thread; what the system does not say is left out.
 */
public final class HostMetrics {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String RESIDENT = "VmRSS:";

  private final List<String> labels;
  private final LongSupplier ticksNs;
  private final Metric cpu;
  private final Metric memory;
  private long lastTicksNs;
  private Optional<Duration> lastCpu;

  /**
   * @param role or null
   * @param rank or null
   * @param ticksNs a clock that never jumps
   */
  public HostMetrics(Metrics metrics, String role, Long rank, LongSupplier ticksNs) {
    labels = List.of("rank", rank == null ? "" : rank.toString(), "role", role == null ? "" : role);
    this.ticksNs = ticksNs;
    cpu =
        metrics.ownGauge(
            "process.cpu.usage", new Meaning("{cpu}", "Cores that the process keeps busy"));
    memory =
        metrics.ownGauge(
            "process.memory.usage", new Meaning("By", "Resident memory of the process"));
    lastTicksNs = ticksNs.getAsLong();
    lastCpu = cpuTime();
  }

  /** The values since the last call. */
  public List<Point> points(long nowNs) {
    List<Point> points = new ArrayList<>(2);
    usage().ifPresent(cores -> points.add(point(cpu, nowNs, cores)));
    residentBytes().ifPresent(bytes -> points.add(point(memory, nowNs, bytes)));
    return points;
  }

  private Point point(Metric metric, long nowNs, double value) {
    return new Point(metric, labels, null, 0, nowNs, value, null);
  }

  private Optional<Double> usage() {
    long ticks = ticksNs.getAsLong();
    Optional<Duration> cpuTime = cpuTime();
    long passed = ticks - lastTicksNs;
    Optional<Duration> before = lastCpu;
    lastTicksNs = ticks;
    lastCpu = cpuTime;
    return passed <= 0
        ? Optional.empty()
        : cpuTime.flatMap(now -> before.map(b -> (double) now.minus(b).toNanos() / passed));
  }

  /** In steps of 10 ms on Linux: a thousandth of a core over the time between two beats. */
  private static Optional<Duration> cpuTime() {
    return ProcessHandle.current().info().totalCpuDuration();
  }

  /** Where there is Linux's /proc; the standard library knows only what the heap takes. */
  private static Optional<Long> residentBytes() {
    try {
      for (String line : Files.readAllLines(STATUS, StandardCharsets.ISO_8859_1)) {
        if (line.startsWith(RESIDENT)) {
          String[] words = line.substring(RESIDENT.length()).strip().split(" ");
          return Optional.of(Long.parseLong(words[0]) << 10);
        }
      }
    } catch (IOException | NumberFormatException e) {
      // Another system, or a sandbox that hides it.
    }
    return Optional.empty();
  }
}
