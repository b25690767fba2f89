package io.rollscope.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process and when it began: pids are used again, and after a reboot even soon, but never with
 * the same beginning.
 *
 * @param start on Linux the boot and the clock ticks since then, because the wall-clock time of a
 *     start moves when the clock is set; elsewhere the time of the start; empty when unknown
 */
public record ProcessIdentity(long pid, String start) {
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

  /** Position of the start time in what follows the name in {@code /proc/PID/stat}. */
  private static final int START_FIELD = 19;

  /** This process. */
  public static ProcessIdentity own() {
    return of(ProcessHandle.current().pid());
  }

  /** Any process. */
  public static ProcessIdentity of(long pid) {
    return new ProcessIdentity(pid, startOf(pid));
  }

  /** The process, if it is still the same one. */
  public Optional<ProcessHandle> find() {
    if (start.isEmpty() || !start.equals(startOf(pid))) {
      return Optional.empty();
    }
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
  }

  private static String startOf(long pid) {
    try {
      if (Files.exists(BOOT)) {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        // The name may hold blanks and parentheses.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        if (fields[0].equals("Z") || fields[0].equals("X")) {
          return ""; // dead, and nobody has asked how it died
        }
        return Files.readString(BOOT).strip() + "/" + fields[START_FIELD];
      }
    } catch (IOException | IndexOutOfBoundsException e) {
      return "";
    }
    return ProcessHandle.of(pid)
        .flatMap(p -> p.info().startInstant())
        .map(Object::toString)
        .orElse("");
  }
}
