package io.rollscope.cli;

import io.rollscope.cli.FolderReports.Damaged;
import io.rollscope.cli.FolderReports.Repaired;
import io.rollscope.cli.FolderReports.Verified;
import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.process.ServerLog;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.ProgressBar;
import io.rollscope.store.DataFolder;
import io.rollscope.store.segment.Damage;
import io.rollscope.store.segment.SegmentAudit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Verifies and repairs data folders, with the store's classes. */
final class FolderWork {
  private FolderWork() {}

  static Verified verify(Path data, Console console) {
    segments(data);
    List<Damaged> damaged = new ArrayList<>();
    try (ProgressBar bar = console.progress("reading")) {
      SegmentAudit.Result all =
          DataFolder.verify(
              data,
              (bytes, of) -> bar.at(bytes, of, ""),
              problem -> damaged.add(new Damaged(problem.file(), problem.reason())));
      return new Verified(data.toString(), all.files(), all.bytes(), all.setAside(), damaged);
    } catch (IOException e) {
      throw new Failure(e.getMessage(), e);
    }
  }

  static Repaired repair(Path data, boolean delete) {
    segments(data);
    ServerLog.configure();
    List<String> done = new ArrayList<>();
    try {
      List<Damage> rest = DataFolder.repair(data, delete, done::add);
      return new Repaired(data.toString(), done, rest.stream().map(FolderWork::damaged).toList());
    } catch (IOException e) {
      throw new Failure(e.getMessage(), e);
    }
  }

  private static Damaged damaged(Damage damage) {
    return new Damaged(String.join(", ", damage.files()), damage.reason());
  }

  private static void segments(Path data) {
    if (!Files.isDirectory(data.resolve("segments"))) {
      throw Failure.of("data folder", data, "one that a server has written to");
    }
  }
}
