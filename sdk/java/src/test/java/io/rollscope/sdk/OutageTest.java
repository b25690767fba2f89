package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.sdk.internal.Warnings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that go away and come back, against a real one. */
class OutageTest {
  @TempDir private Path data;
  private final List<String> told = new CopyOnWriteArrayList<>();

  private RollscopeBuilder builder(TestServer server) {
    return Rollscope.builder()
        .environment(Map.of())
        .warnings(new Warnings(told::add))
        .pace(Quick.PACE)
        .run("r")
        .endpoint(server.endpoint());
  }

  /** The collector is updated in the middle of a run. */
  @Test
  void nothingIsLostWhenTheServerIsBroughtBack() throws Exception {
    try (TestServer server = TestServer.start(data)) {
      try (Rollscope rs = builder(server).build()) {
        record(rs, "before", 2_000);
        assertThat(rs.flush(Quick.PATIENCE)).isTrue();
        Phase open = rs.phase("over the outage");
        rs.flush(Quick.PATIENCE);
        server.stop();
        record(rs, "during", 20_000);
        Waiting.until(() -> told.size() == 1);
        open.close();
        server.start();
        record(rs, "after", 2_000);
        assertThat(rs.flush(Quick.PATIENCE)).isTrue();
      }
      Waiting.untilEquals(
          List.of(
              "after|2000|2000", "before|2000|2000", "during|20000|20000", "over the outage|1|1"),
          () ->
              server.sql(
                  "select name, count(*), count(distinct span_id) from spans where outcome = 'ok'"
                      + " group by 1 order by 1"));
      assertThat(server.run("r", "/live").path("dropped").path("spans").asLong()).isZero();
      assertThat(told).hasSize(1);
      assertThat(told.get(0)).contains("trying again");
    }
  }

  private static void record(Rollscope rs, String name, int count) {
    for (int i = 0; i < count; i++) {
      rs.phase(name).set("i", i).close();
    }
  }

  @Test
  void eightThreadsLoseNothing() throws Exception {
    try (TestServer server = TestServer.start(data)) {
      try (Rollscope rs = builder(server).build();
          Batch batch = rs.batch(1)) {
        ExecutorService threads = rs.wrap(Executors.newFixedThreadPool(8));
        CountDownLatch done = new CountDownLatch(8);
        for (int t = 0; t < 8; t++) {
          threads.execute(
              () -> {
                try (Session session = rs.session()) {
                  record(rs, "step", 5_000);
                  session.accepted();
                }
                done.countDown();
              });
        }
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        threads.shutdown();
        assertThat(rs.flush(Quick.PATIENCE)).isTrue();
      }
      Waiting.untilEquals(
          List.of("session|8|8|1", "step|40000|8|1"),
          () ->
              server.sql(
                  "select name, count(distinct span_id), count(distinct trace_id),"
                      + " any_value(train_step) from spans where outcome = 'ok' and name <> 'batch'"
                      + " group by 1 order by 1"));
      Waiting.untilEquals(
          List.of("8|5001|5001"),
          () ->
              server.sql(
                  "select count(*), min(span_count), max(span_count) from sessions where status ="
                      + " 'accepted'"));
      assertThat(told).isEmpty();
    }
  }

  @Test
  void wrongTokenIsToldOnceAndCounted() throws Exception {
    try (TestServer server = TestServer.withToken(data, "right")) {
      try (Rollscope rs = builder(server).token("wrong").build()) {
        record(rs, "a", 10);
        assertThat(rs.flush(Quick.PATIENCE)).isTrue();
        record(rs, "a", 10);
        assertThat(rs.flush(Quick.PATIENCE)).isTrue();
      }
      assertThat(told).anyMatch(t -> t.contains("answers 401") && t.contains("token"));
      assertThat(told).hasSizeLessThan(4);
      try (Rollscope rs = builder(server).token("right").build()) {
        record(rs, "b", 1);
      }
      Waiting.untilEquals(List.of("b"), () -> server.sql("select name from spans"));
    }
  }

  @Test
  void closingTakesNoLongerThanItsDeadlineWhenNobodyAnswers() throws Exception {
    try (TestServer server = TestServer.start(data)) {
      server.stop();
      Rollscope rs = builder(server).deadline(Duration.ofMillis(300)).build();
      record(rs, "a", 10);
      long before = System.nanoTime();
      rs.close();
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(20));
      rs.close();
      Waiting.untilEquals(10L, () -> rs.dropped().spans());
      rs.phase("after the end").set("k", 1).close();
      server.start();
    }
  }
}
