package io.rollscope.cli.demo;

import io.rollscope.simulator.Pace;
import io.rollscope.simulator.Playback;
import io.rollscope.simulator.Settings;
import io.rollscope.simulator.Timeline;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Plays a simulated run to a server as time passes. */
public final class ServedDemo implements AutoCloseable {
  /** The run begins so long before the demo, so that there is something to see at once. */
  private static final Duration HISTORY = Duration.ofSeconds(90);

  private static final Duration DEATH_AFTER = Duration.ofSeconds(30);
  private static final long END_MS = 8_000;

  private final OtelRun run;
  private final Thread player;
  private final Thread killer;

  private ServedDemo(OtelRun run, Playback playback, Pace pace) {
    this.run = run;
    this.player = thread("rollscope-simulator", () -> play(playback, pace));
    this.killer = thread("rollscope-demo-death", this::killInTime);
  }

  /**
   * Begins to play.
   *
   * @param name of the run
   * @param server where OTLP over HTTP is taken
   * @param token what the server wants to see, or null
   */
  public static ServedDemo begin(
      String name, Settings settings, double speed, URI server, String token) {
    Pace pace = Pace.system();
    Timeline timeline = new Timeline(pace.nowNs() - HISTORY.toNanos(), speed);
    OtelRun run = new OtelRun(name, server, token);
    ServedDemo demo = new ServedDemo(run, new Playback(settings, timeline, run), pace);
    demo.player.start();
    demo.killer.start();
    return demo;
  }

  private static Thread thread(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  private static void play(Playback playback, Pace pace) {
    try (playback) {
      playback.live(pace);
    } catch (IOException e) {
      System.err.println("rollscope: simulator: " + e.getMessage() + " (expected: a run)");
    }
  }

  private void killInTime() {
    try {
      TimeUnit.MILLISECONDS.sleep(DEATH_AFTER.toMillis());
      run.killOne();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the run; its processes say goodbye. */
  @Override
  public void close() {
    killer.interrupt();
    player.interrupt();
    try {
      player.join(END_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
