package io.rollscope.simulator;

import io.rollscope.core.model.Event;
import io.rollscope.formats.xtuner.XTunerWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** A run as XTuner writes it: a file for each process, and nothing of the training side. */
final class XTunerFolder implements TraceFolder {
  private final Path folder;
  private final Map<Long, XTunerWriter> writers = new LinkedHashMap<>();

  XTunerFolder(Path folder) {
    this.folder = folder;
  }

  @Override
  public void session(long pid, Event event) throws IOException {
    writers.computeIfAbsent(pid, number -> new XTunerWriter(folder, number)).write(event);
  }

  @Override
  public void training(TrainingSpan span) {}

  @Override
  public void flush() throws IOException {
    for (XTunerWriter writer : writers.values()) {
      writer.flush();
    }
  }

  @Override
  public void close() throws IOException {
    for (XTunerWriter writer : writers.values()) {
      writer.close();
    }
  }
}
