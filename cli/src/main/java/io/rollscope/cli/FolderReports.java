package io.rollscope.cli;

import java.util.List;

/** What {@code server verify} and {@code server repair} print. */
public final class FolderReports {
  private FolderReports() {}

  /** A file and what is wrong with it. */
  public record Damaged(String file, String reason) {}

  /**
   * What a look at all segments found.
   *
   * @param files that were read
   * @param setAside files that were set aside before
   */
  public record Verified(
      String data, long files, long bytes, long setAside, List<Damaged> damaged) {}

  /**
   * What was repaired.
   *
   * @param done a line for each thing done
   * @param damaged what stays set aside
   */
  public record Repaired(String data, List<String> done, List<Damaged> damaged) {}
}
