package io.rollscope.formats.folder;

import io.rollscope.formats.compressed.Compression;
import io.rollscope.formats.compressed.FrameBegin;
import io.rollscope.formats.folder.Pieces.Unread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** One file that is being read, and how far. */
public final class TraceFile {
  /** More than a line: the ends of different lines are often the same. */
  private static final int REMEMBERED = 1024;

  private static final long FRAMES_APART = 4 << 20;

  private Path path;
  private final Object identity;
  private final int number;
  private final TraceFormat format;
  private final String run;
  private final String runGiven;
  private final Compression compression;
  private long offset;
  private volatile FrameBegin resumeAt = FrameBegin.OF_FILE;
  private final TreeMap<Long, FrameBegin> frames = new TreeMap<>();
  private long lines;
  private boolean withinLongLine;
  private Fingerprint fingerprint = new Fingerprint(new byte[0], new byte[0]);
  private long lookedSize;
  private FileTime lookedTime;
  private boolean isGivenUp;
  private volatile boolean isReleased;
  private Object memory;

  /** How a file began, and the bytes just before the offset: they change when it is rewritten. */
  record Fingerprint(byte[] begin, byte[] end) {
    boolean matches(Fingerprint other) {
      return Arrays.equals(begin, other.begin) && Arrays.equals(end, other.end);
    }
  }

  TraceFile(Path path, Object identity, int number, TraceFormat format, String runGiven)
      throws IOException {
    this.compression = Compression.of(path);
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

  /** How it is compressed, or null. */
  public Compression compression() {
    return compression;
  }

  /** How many bytes of the file have been read and need not be read again. */
  public long position() {
    return compression == null ? offset : resumeAt.packed();
  }

  /** Where reading goes on: the last frame that begins before the offset, or at it. */
  FrameBegin resumeAt() {
    return resumeAt;
  }

  /** Frames that were found; those far enough from each other are kept to find lines again. */
  void found(List<FrameBegin> begins) {
    for (FrameBegin begin : begins) {
      if (begin.unpacked() <= offset) {
        resumeAt = begin;
      }
      if (begin.unpacked() >= (frames.isEmpty() ? 0 : frames.lastKey()) + FRAMES_APART) {
        frames.put(begin.unpacked(), begin);
      }
    }
  }

  /** A frame that begins before an offset in what the file holds, or at it. */
  FrameBegin frameBefore(long unpacked) {
    var found = frames.floorEntry(unpacked);
    return found == null ? FrameBegin.OF_FILE : found.getValue();
  }

  /** How many bytes of what it holds have been read. */
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

  /** Size and time are looked at anew: what was there could not be read. */
  void forgetLook() {
    lookedTime = null;
  }

  /** Whether there is something to read; an unfinished frame is read again when the file grows. */
  boolean hasUnread(boolean isTouched) {
    return !isGivenUp && lookedSize > position() && (isTouched || compression == null);
  }

  Unread<TraceFile> unread() {
    return new Unread<>(this, path, compression, resumeAt, offset, !withinLongLine, lookedSize);
  }

  /** How many bytes were there at the last look and have not been read. */
  long unreadBytes() {
    return isGivenUp ? 0 : Math.max(0, lookedSize - position());
  }

  /** What follows is damaged. */
  void giveUp() {
    isGivenUp = true;
  }

  /** Nothing is read of it any more. */
  void release() {
    isReleased = true;
    frames.clear();
    fingerprint = new Fingerprint(new byte[0], new byte[0]);
  }

  /** Whether it was deleted, or replaced by another of its name. */
  public boolean isReleased() {
    return isReleased;
  }

  /** The beginning of what it holds. */
  public byte[] head(int length) throws IOException {
    byte[] head = new byte[length];
    return Arrays.copyOf(head, ByteSource.head(path, head));
  }

  /** The fingerprint the file has now. */
  Fingerprint look() throws IOException {
    long position = position();
    int length = (int) Math.min(REMEMBERED, position);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return new Fingerprint(bytes(channel, 0, length), bytes(channel, position - length, length));
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
