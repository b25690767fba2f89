package io.rollscope.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rollscope.core.report.RunReports;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * A data folder of an earlier version, and what was sent to it, in two halves: most sessions are in
 * two segments, and none knows when it was done by itself. Upgraded, it answers as what was sent
 * (contracts.md 7.7).
 */
class OldDataFolderTest extends RunReportsContract {
  private static final String FOLDER = "/datafolders/22a793c.zip";
  private static final String SENT = "sent/";
  private static final String DATA = "data/";

  private TestedStore store;

  private interface Entries {
    void take(String name, InputStream in) throws IOException;
  }

  private static void each(Entries entries) {
    try (InputStream in = OldDataFolderTest.class.getResourceAsStream(FOLDER);
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (!entry.isDirectory()) {
          entries.take(entry.getName(), zip);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected List<World> worlds() {
    List<World> worlds = new ArrayList<>();
    each(
        (name, in) -> {
          if (name.startsWith(SENT)) {
            String run = name.substring(SENT.length(), name.length() - ".jsonl".length());
            List<String> lines = new String(in.readAllBytes(), UTF_8).lines().toList();
            worlds.add(new World(run, run, lines, null));
          }
        });
    return worlds;
  }

  /** The board lists no session that left before; a timeline has self times as they were sealed. */
  @Override
  protected Set<String> answers() {
    return Set.of(
        "hotspots", "sessions", "sessionList", "session", "errors", "occupancy", "batches");
  }

  @Override
  protected void take(List<World> worlds) throws IOException {
    Path data = folder.resolve("data");
    each(
        (name, in) -> {
          if (name.startsWith(DATA)) {
            Path file = data.resolve(name.substring(DATA.length()));
            Files.createDirectories(file.getParent());
            Files.copy(in, file);
          }
        });
    store = new TestedStore(data);
    store.look();
  }

  @Override
  protected RunReports open(World world) {
    return store.run(world.run());
  }

  @Override
  protected void close() throws IOException {
    store.close();
  }
}
