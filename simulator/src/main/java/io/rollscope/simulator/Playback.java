package io.rollscope.simulator;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes a simulated run to a trace folder: {@link #rush} as fast as possible, {@link #live} as
 * real time passes, so that a viewer sees the run grow. Closing it closes the files.
 */
public final class Playback implements AutoCloseable {
  private final TraceFolder folder;
  private final Timeline timeline;
  private final SessionEventLimit counted;
  private final Simulation simulation;

  /** A run that is written to a folder. */
  public Playback(Settings settings, Timeline timeline, TraceFolder folder) {
    this.timeline = timeline;
    this.folder = folder;
    counted = new SessionEventLimit(folder, Long.MAX_VALUE);
    simulation = new Simulation(settings, timeline, counted);
  }

  /**
   * A run that begins now.
   *
   * @param speed how many virtual seconds pass in a real one
   */
  public static Playback startingNow(
      Settings settings, TraceFormat format, Path folder, double speed, Pace pace) {
    Timeline timeline = new Timeline(pace.nowNs(), speed);
    return new Playback(settings, timeline, format.open(folder, settings, timeline));
  }

  /** Session events written so far. */
  public long events() {
    return counted.taken();
  }

  /** Sessions that are started and not finished. */
  public int inFlight() {
    return simulation.inFlight();
  }

  /** Writes so many session events, or fewer if the run is over before, and ends there. */
  public void rush(long events) throws IOException {
    counted.limitTo(events);
    while (!counted.isFull() && !simulation.isOver()) {
      simulation.advance();
    }
  }

  /**
   * Goes on as time passes, until the run is over or the thread is interrupted; then the interrupt
   * is still set.
   */
  public void live(Pace pace) throws IOException {
    while (!simulation.isOver() && !Thread.currentThread().isInterrupted()) {
      long waitNs = timeline.at(simulation.nextNs()) - pace.nowNs();
      if (waitNs > 0) {
        folder.flush();
        try {
          pace.sleep(waitNs);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      } else {
        simulation.advance();
      }
    }
    folder.flush();
  }

  @Override
  public void close() throws IOException {
    folder.close();
  }
}
