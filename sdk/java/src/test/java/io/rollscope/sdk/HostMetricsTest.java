package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.rollscope.sdk.internal.Warnings;
import io.rollscope.sdk.internal.host.HostMetrics;
import io.rollscope.sdk.internal.metric.Metrics;
import io.rollscope.sdk.internal.metric.Point;
import io.rollscope.sdk.internal.span.Book;
import io.rollscope.sdk.internal.span.Buffer;
import io.rollscope.sdk.internal.span.WallClock;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a process takes while it trains. */
class HostMetricsTest {
  private final AtomicLong ticks = new AtomicLong();

  private HostMetrics metrics(String role, Long rank) {
    Book book =
        new Book(WallClock.system(), new Buffer(10, () -> {}), 100, 0, false, warning -> {});
    Warnings warnings = new Warnings(text -> {});
    return new HostMetrics(
        new Metrics(book, warnings, Metrics.defaultBounds()), role, rank, ticks::get);
  }

  private static Point named(String name, List<Point> points) {
    return points.stream().filter(p -> p.metric().name().equals(name)).findFirst().orElseThrow();
  }

  private static Duration cpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
  }

  @Test
  void cpuIsTheShareOfCoresSinceTheLastBeat() {
    HostMetrics host = metrics("rollout", 7L);
    Duration until = cpu().plusMillis(400);
    while (cpu().compareTo(until) < 0) {
      Thread.onSpinWait();
    }
    ticks.addAndGet(TimeUnit.SECONDS.toNanos(1));
    Point busy = named("process.cpu.usage", host.points(17));
    assertThat(busy.value()).isBetween(0.4, 4.0);
    assertThat(busy.timeNs()).isEqualTo(17);
    assertThat(busy.labels()).containsExactly("rank", "7", "role", "rollout");

    ticks.addAndGet(TimeUnit.HOURS.toNanos(1));
    assertThat(named("process.cpu.usage", host.points(18)).value()).isLessThan(0.01);
  }

  @Test
  void cpuOfNoTimeIsNotKnown() {
    assertThat(metrics(null, null).points(1))
        .noneMatch(p -> p.metric().name().equals("process.cpu.usage"));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void memoryIsWhatIsResidentNow() {
    HostMetrics host = metrics(null, null);
    Point before = named("process.memory.usage", host.points(1));
    ByteBuffer taken = ByteBuffer.allocateDirect(128 << 20);
    Point after = named("process.memory.usage", host.points(2));
    assertThat(taken.get(1 << 20)).isZero();
    assertThat(after.value() - before.value()).isBetween(100.0 * (1 << 20), 1e9);
    assertThat(after.labels()).containsExactly("rank", "", "role", "");
  }

  private static Map<String, String> labels(Metric metric) {
    return metric.getGauge().getDataPoints(0).getAttributesList().stream()
        .collect(
            java.util.stream.Collectors.toMap(
                KeyValue::getKey, a -> a.getValue().getStringValue()));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void beatsCarryThemAndStatsDoNotCountThem() throws Exception {
    Quick quick = new Quick();
    try (Rollscope rs =
        quick.builderWithHostMetrics(Map.of()).quiet(true).role("rollout").rank(7).build()) {
      rs.session().close();
      Waiting.until(() -> quick.transport.metrics().size() >= 4);
      assertThat(rs.flush(Quick.PATIENCE)).isTrue();
      assertThat(rs.stats().sent())
          .isEqualTo(
              (long) quick.transport.spans().size()
                  + quick.transport.logs("rollscope.span.start").size());
    }
    assertThat(quick.transport.metrics())
        .allSatisfy(
            m ->
                assertThat(labels(m))
                    .containsExactlyInAnyOrderEntriesOf(Map.of("role", "rollout", "rank", "7")))
        .extracting(m -> m.getName() + " " + m.getUnit() + " " + m.getDescription())
        .containsOnly(
            "process.cpu.usage {cpu} Cores that the process keeps busy",
            "process.memory.usage By Resident memory of the process");
    assertThat(quick.transport.metrics().size() / 2)
        .isEqualTo(quick.transport.logs("rollscope.beat").size() - 1);
  }

  private static void expectNone(RollscopeBuilder builder, Quick quick) throws Exception {
    try (Rollscope rs = builder.quiet(true).build()) {
      rs.session().close();
      Waiting.until(() -> quick.transport.logs("rollscope.beat").size() >= 3);
      assertThat(rs.environment()).containsEntry("ROLLSCOPE_HOST_METRICS", "0");
    }
    assertThat(quick.transport.metrics()).isEmpty();
  }

  @Test
  void canBeTurnedOff() throws Exception {
    Quick code = new Quick();
    expectNone(code.builderWithHostMetrics(Map.of()).hostMetrics(false), code);
    Quick variable = new Quick();
    expectNone(variable.builderWithHostMetrics(Map.of("ROLLSCOPE_HOST_METRICS", "0")), variable);
  }

  @Test
  void codeGoesBeforeTheVariable() throws Exception {
    Quick quick = new Quick();
    try (Rollscope rs =
        quick
            .builderWithHostMetrics(Map.of("ROLLSCOPE_HOST_METRICS", "0"))
            .quiet(true)
            .hostMetrics(true)
            .build()) {
      rs.session().close();
      Waiting.until(() -> !quick.transport.metrics().isEmpty());
      assertThat(rs.environment()).doesNotContainKey("ROLLSCOPE_HOST_METRICS");
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void serverHasThemAsMetricsOfTheWorker(@TempDir Path data) throws Exception {
    try (TestServer server = TestServer.start(data);
        Rollscope rs =
            Rollscope.builder()
                .environment(Map.of())
                .run("host")
                .endpoint(server.endpoint())
                .pace(Quick.PACE)
                .role("rollout")
                .rank(5)
                .build()) {
      rs.session().close();
      Waiting.untilEquals(
          List.of("process.cpu.usage|gauge|rollout|5", "process.memory.usage|gauge|rollout|5"),
          () ->
              server.sql(
                  "select distinct name, kind, labels['role'], labels['rank'] from metrics"
                      + " where run = 'host' order by name"));
      assertThat(
              server.sql(
                  "select count(*) from metrics where name = 'process.memory.usage'"
                      + " and value between 20000000 and 8000000000"))
          .isNotEqualTo(List.of("0"));
    }
  }
}
