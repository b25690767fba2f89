package io.rollscope.simulator;

import java.nio.file.Path;

/** The kinds of trace folders a simulated run can be written as. */
public enum TraceFormat {
  /** The producer trace of XTuner pull request 1891. */
  XTUNER {
    @Override
    public TraceFolder open(Path folder, Settings settings, Timeline timeline) {
      return new XTunerFolder(folder);
    }
  },

  /** Session and perf traces of an AReaL trial. */
  AREAL {
    @Override
    public TraceFolder open(Path folder, Settings settings, Timeline timeline) {
      int ranks = settings.fleet().trainerRanks();
      return new ArealFolder(folder, ranks, timeline.startNs());
    }
  };

  /** Opens a folder to write to; files are created with their first lines. */
  public abstract TraceFolder open(Path folder, Settings settings, Timeline timeline);
}
