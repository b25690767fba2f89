package io.rollscope.formats.folder;

import java.nio.file.Path;

/** One file that is being read, and how far. */
public final class TraceFile {
  private static final int REMEMBERED = 64;

  private Path path;
  private final Object identity;
  private final int number;
  private final TraceFormat format;
  private final String run;
  private long offset;
  private long lines;
  private byte[] lastBytes = new byte[0];

  TraceFile(Path path, Object identity, int number, TraceFormat format, String runGiven) {
    this.path = path;
    this.identity = identity;
    this.number = number;
    this.format = format;
    this.run = runGiven != null ? runGiven : format.run(this);
  }

  public Path path() {
    return path;
  }

  /** What its lines are called in messages: the file's name with its folder. */
  public String label() {
    Path parent = path.getParent();
    boolean nested = parent != null && parent.getFileName() != null;
    return nested ? parent.getFileName() + "/" + path.getFileName() : path.toString();
  }

  /** Position among the files of the source; rows refer to it. */
  public int number() {
    return number;
  }

  public TraceFormat format() {
    return format;
  }

  /** Id of the run its rows belong to unless they say otherwise. */
  public String run() {
    return run;
  }

  /** How many bytes have been read. */
  public long offset() {
    return offset;
  }

  /** How many lines have been read. */
  long lines() {
    return lines;
  }

  Object identity() {
    return identity;
  }

  void renamed(Path to) {
    path = to;
  }

  void advance(long newOffset, long newLines) {
    offset = newOffset;
    lines += newLines;
  }

  /** The bytes just before the offset: if they change, somebody wrote the file anew. */
  byte[] lastBytes() {
    return lastBytes;
  }

  void remember(byte[] bytes) {
    lastBytes = bytes;
  }

  static int rememberedBytes() {
    return REMEMBERED;
  }
}
