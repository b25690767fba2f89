package io.rollscope.sdk.internal.setting;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;

/** What the processes of one start of a run have in common, so that they write to one folder. */
final class Starts {
  /**
   * Ids that a launcher gives to all processes of a start, on all machines. Ray's job id is none:
   * it begins anew with each cluster.
   */
  private static final List<String> LAUNCHERS =
      List.of("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "TORCHELASTIC_RUN_ID");

  private static final DateTimeFormatter READABLE =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss").withZone(ZoneOffset.UTC);

  /** File systems take 255 bytes; a suffix may come on top. */
  private static final int MAX_NAME = 200;

  private static final Instant BEGAN =
      began(Optional.of(ProcessHandle.current())).orElseGet(Instant::now);

  private Starts() {}

  /** The launcher's id, else when the run was started. */
  static String key(Environment environment) {
    for (String variable : LAUNCHERS) {
      String id = environment.text(variable);
      if (variable.equals("TORCHELASTIC_RUN_ID") && "none".equals(id)) {
        // torchrun without --rdzv-id: its workers have itself in common, on this machine.
        return READABLE.format(began(ProcessHandle.current().parent()).orElse(BEGAN));
      }
      if (id != null) {
        return id + restart(variable, environment);
      }
    }
    return READABLE.format(BEGAN);
  }

  private static String restart(String launcher, Environment environment) {
    String count = launcher.equals("SLURM_JOB_ID") ? environment.text("SLURM_RESTART_COUNT") : null;
    return count == null || count.equals("0") ? "" : "." + count;
  }

  private static Optional<Instant> began(Optional<ProcessHandle> process) {
    return process.flatMap(p -> p.info().startInstant());
  }

  /** The text as the name of a file, on any file system. */
  static String fileName(String text) {
    String plain = text.replaceAll("[^A-Za-z0-9_.+=@-]+", "_").replaceFirst("^\\.+", "");
    String name = plain.substring(0, Math.min(plain.length(), MAX_NAME));
    return name.isEmpty() ? "_" : name;
  }
}
