package io.rollscope.sdk.internal.setting;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where and how files are written.
 *
 * @param root the folder of all starts
 * @param start what all processes of one start of the run have in common
 * @param compression as it was said, or null
 * @param maxBytes what the folder of a start may take, or 0 for no limit
 */
public record Spool(Path root, String start, String compression, long maxBytes) {
  /** A folder with less holds but seconds of a run. */
  public static final long LEAST_BYTES = 1 << 20;

  private static final String GZIP = "gzip";
  private static final String NONE = "none";

  /** Null if nothing is to be written. */
  static Spool of(Choices code, Environment environment) {
    Path root = code.spool != null ? code.spool : root(environment);
    if (root == null) {
      return null;
    }
    String start = environment.text("ROLLSCOPE_SPOOL_START");
    String compression = environment.word("ROLLSCOPE_SPOOL_COMPRESS", GZIP, NONE);
    Long maxBytes = environment.size("ROLLSCOPE_SPOOL_MAX_BYTES", LEAST_BYTES);
    return new Spool(
        root,
        start != null ? start : Starts.key(environment),
        code.spoolCompress != null ? code.spoolCompress : compression,
        code.spoolMaxBytes != null ? code.spoolMaxBytes : maxBytes != null ? maxBytes : 0);
  }

  private static Path root(Environment environment) {
    String folder = environment.text("ROLLSCOPE_SPOOL");
    try {
      return folder == null ? null : Path.of(folder);
    } catch (InvalidPathException e) {
      environment.warn("ROLLSCOPE_SPOOL", folder, "a folder");
      return null;
    }
  }

  public static boolean isCompression(String word) {
    return GZIP.equals(word) || NONE.equals(word);
  }

  public boolean isCompressed() {
    return !NONE.equals(compression);
  }

  /** The folder of this start. */
  public Path folder(String run) {
    return root.resolve(Starts.fileName(run + "-" + start));
  }

  /** For child processes: that they write to the same folder, in the same way. */
  public void addTo(Map<String, String> variables) {
    variables.put("ROLLSCOPE_SPOOL", root.toAbsolutePath().toString());
    variables.put("ROLLSCOPE_SPOOL_START", start);
    if (compression != null) {
      variables.put("ROLLSCOPE_SPOOL_COMPRESS", compression);
    }
    if (maxBytes > 0) {
      variables.put("ROLLSCOPE_SPOOL_MAX_BYTES", Long.toString(maxBytes));
    }
  }
}
