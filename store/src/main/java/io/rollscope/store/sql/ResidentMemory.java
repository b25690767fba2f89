package io.rollscope.store.sql;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** What another process has in memory. */
final class ResidentMemory {
  private static final boolean PROC = Files.isReadable(Path.of("/proc/self/statm"));
  private static final long PAGE_BYTES = pageBytes();

  private ResidentMemory() {}

  /** Bytes; 0 if it has ended or the system does not say. */
  static long of(long pid) {
    try {
      if (PROC) {
        String[] pages = Files.readString(Path.of("/proc/" + pid + "/statm"), US_ASCII).split(" ");
        return Long.parseLong(pages[1]) * PAGE_BYTES;
      }
      return Long.parseLong(output("ps", "-o", "rss=", "-p", String.valueOf(pid))) * 1024;
    } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return 0;
    }
  }

  private static long pageBytes() {
    try {
      return PROC ? Long.parseLong(output("getconf", "PAGESIZE")) : 0;
    } catch (IOException | NumberFormatException e) {
      return 4096;
    }
  }

  private static String output(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String text = new String(process.getInputStream().readNBytes(100), US_ASCII).strip();
      process.waitFor(1, TimeUnit.SECONDS);
      return text;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } finally {
      process.destroyForcibly();
    }
  }
}
