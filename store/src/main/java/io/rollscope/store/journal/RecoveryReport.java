package io.rollscope.store.journal;

import java.util.List;
import java.util.Optional;

/**
 * What was found when a journal was opened.
 *
 * @param files journal files read
 * @param frames intact frames handed out
 * @param bytes size of the files read
 * @param cut the tail of the last file that was no intact frame and is gone now
 * @param damages parts passed over; they stay where they are until their file is deleted
 * @param emptyFiles journal files without a byte
 * @param ignoredFiles files that are not part of this journal, each with the reason
 * @param unfinishedFiles files whose creation a crash interrupted; deleted, they held nothing
 *     acknowledged
 */
public record RecoveryReport(
    int files,
    long frames,
    long bytes,
    Optional<Damage> cut,
    List<Damage> damages,
    List<String> emptyFiles,
    List<String> ignoredFiles,
    List<String> unfinishedFiles) {
  /** Bytes cut from the last file. */
  public long cutBytes() {
    return cut.map(Damage::bytes).orElse(0L);
  }

  /** True if nothing but whole journal files was found. */
  public boolean clean() {
    return cut.isEmpty()
        && damages.isEmpty()
        && emptyFiles.isEmpty()
        && ignoredFiles.isEmpty()
        && unfinishedFiles.isEmpty();
  }
}
