package io.rollscope.formats.folder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;

/** One file that is being read, and how far. */
public final class TraceFile {
  /** More than a line: the ends of different lines are often the same. */
  private static final int REMEMBERED = 1024;

  private Path path;
  private final Object identity;
  private final int number;
  private final TraceFormat format;
  private final String run;
  private final String runGiven;
  private long offset;
  private long lines;
  private boolean withinLongLine;
  private Fingerprint fingerprint = new Fingerprint(new byte[0], new byte[0]);
  private long lookedSize;
  private FileTime lookedTime;
  private Object memory;

  /** How a file began, and the bytes just before the offset: they change when it is rewritten. */
  record Fingerprint(byte[] begin, byte[] end) {
    boolean matches(Fingerprint other) {
      return Arrays.equals(begin, other.begin) && Arrays.equals(end, other.end);
    }
  }

  TraceFile(Path path, Object identity, int number, TraceFormat format, String runGiven) {
    this.path = path;
    this.identity = identity;
    this.number = number;
    this.format = format;
    this.runGiven = runGiven;
    this.run = runGiven != null ? runGiven : format.run(this);
  }

  public Path path() {
    return path;
  }

  /** What its lines are called in messages: the file's name with its folder. */
  public String label() {
    return label(path);
  }

  static String label(Path path) {
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

  /** The run the user named for lines that do not say, or null. */
  public String runGiven() {
    return runGiven;
  }

  /** What its format keeps of it from one delivery to the next. */
  public Object memory() {
    return memory;
  }

  public void keep(Object kept) {
    memory = kept;
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

  /** Whether the offset is in the middle of a line that was given up as too long. */
  boolean withinLongLine() {
    return withinLongLine;
  }

  void advance(long newOffset, boolean nowWithinLongLine, long newLines) {
    if (newOffset > offset) {
      offset = newOffset;
      withinLongLine = nowWithinLongLine;
    }
    lines += newLines;
  }

  /** Remembers size and time; whether they are others than at the last look. */
  boolean isTouched(BasicFileAttributes now) {
    boolean touched = now.size() != lookedSize || !now.lastModifiedTime().equals(lookedTime);
    lookedSize = now.size();
    lookedTime = now.lastModifiedTime();
    return touched;
  }

  Fingerprint fingerprint() {
    return fingerprint;
  }

  void remember(Fingerprint now) {
    fingerprint = now;
  }

  /** The fingerprint the file has now. */
  Fingerprint look() throws IOException {
    int length = (int) Math.min(REMEMBERED, offset);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return new Fingerprint(bytes(channel, 0, length), bytes(channel, offset - length, length));
    }
  }

  private static byte[] bytes(FileChannel channel, long from, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
      // Reads until full or the file ends.
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }
}
