package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether it records at all, and what became of it. */
class StatsTest {
  private final Quick quick = new Quick();

  @Test
  void everythingRecordedIsSentOrQueued() {
    quick.transport.answer = (signal, body) -> Sent.later(null, "away");
    try (Rollscope rs = quick.builder().quiet(true).build()) {
      for (int i = 0; i < 30; i++) {
        rs.phase("p").close();
      }
      Stats away = rs.stats();
      assertThat(away.sent()).isZero();
      assertThat(away.dropped()).isZero();
      assertThat(away.queued()).isBetween(30L, 60L).isEqualTo(away.recorded());
      quick.transport.answer = (signal, body) -> Sent.all();
      Session session = rs.session();
      session.close();
      session.reward(1);
      rs.counter("c").add(1);
      assertThat(rs.flush(Quick.PATIENCE)).isTrue();
      long arrived =
          (long) quick.transport.spans().size()
              + quick.transport.logs("rollscope.span.start").size()
              + quick.transport.logs("rollscope.session.final").size()
              + quick.transport.metrics().size();
      assertThat(rs.stats()).isEqualTo(new Stats(arrived, arrived, 0, 0, 0, Deleted.NOTHING));
      assertThat(quick.transport.spans()).hasSize(31);
    }
    assertThat(Rollscope.disabled().stats()).isEqualTo(new Stats(0, 0, 0, 0, 0, Deleted.NOTHING));
  }

  @Test
  void whatIsDroppedIsRecordedAllTheSame() {
    quick.transport.answer = (signal, body) -> Sent.later(null, "away");
    try (Rollscope rs = quick.builder().quiet(true).buffer(10).build()) {
      for (int i = 0; i < 30; i++) {
        rs.phase("p").close();
      }
      Stats stats = rs.stats();
      Dropped dropped = rs.dropped();
      assertThat(stats.dropped()).isPositive().isEqualTo(dropped.spans() + dropped.starts());
      assertThat(stats.recorded()).isEqualTo(stats.dropped() + stats.queued());
      quick.transport.answer = (signal, body) -> Sent.all();
      assertThat(rs.flush(Quick.PATIENCE)).isTrue();
      assertThat(rs.stats().dropped()).isEqualTo(stats.dropped());
      assertThat(rs.stats().queued()).isZero();
    }
  }

  private static String printedBy(Runnable code) {
    PrintStream before = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      code.run();
    } finally {
      System.setErr(before);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void itSaysOnceWhereItRecords(@TempDir Path folder) {
    String run = "run-" + UUID.randomUUID() + "\u001b[31m";
    String shown = run.replace('\u001b', '\uFFFD');
    Runnable build = () -> quick.builder().run(run).build().close();
    Runnable spool =
        () -> Rollscope.builder().environment(Map.of()).run(run).spool(folder).build().close();

    assertThat(printedBy(build))
        .isEqualTo(
            "rollscope: recording run %s to MemoryTransport (quiet(true) leaves this line out)%n"
                .formatted(shown));
    assertThat(printedBy(build)).isEmpty();
    assertThat(printedBy(spool)).contains("run " + shown + " to " + folder);
    assertThat(printedBy(() -> quick.builder().run("quiet-" + run).quiet(true).build().close()))
        .isEmpty();
    assertThat(
            printedBy(
                () ->
                    quick.builder(Map.of("ROLLSCOPE_QUIET", "1")).run("q2-" + run).build().close()))
        .isEmpty();
    assertThat(printedBy(() -> quick.builder().enabled(false).run("off" + run).build())).isEmpty();
  }
}
