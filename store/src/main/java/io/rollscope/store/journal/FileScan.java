package io.rollscope.store.journal;

import io.rollscope.store.disk.ReadFile;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads one file, hands out its intact frames and notes what lies between them.
 *
 * <p>After damage it looks for the file's marker. A payload cannot contain a frame that would be
 * believed: whoever made it did not know the random marker, and the checksum covers the offset.
 */
final class FileScan {
  private static final int WINDOW = 1 << 20;

  private final ReadFile file;
  private final String name;
  private final long sequence;
  private final long size;
  private final List<Damage> damages = new ArrayList<>();
  private ByteBuffer window = ByteBuffer.allocate(0);
  private long windowAt;
  private long marker;
  private long frames;
  private long intactEnd;
  private String problem = "";

  FileScan(ReadFile file, String name, long sequence) throws IOException {
    this.file = file;
    this.name = name;
    this.sequence = sequence;
    this.size = file.size();
  }

  /** Hands out the frames. False if neither header nor first frame tells the file's marker. */
  boolean read(FrameReceiver receiver) throws IOException {
    if (!findMarker()) {
      return false;
    }
    long offset = FileHeader.BYTES;
    intactEnd = offset;
    while (offset < size) {
      try {
        Frame frame = frameAt(offset);
        receiver.receive(new Position(sequence, offset), frame);
        frames++;
        offset += FrameLayout.size(frame);
        intactEnd = offset;
      } catch (DamagedFrameException e) {
        problem = e.getMessage();
        long next = nextIntact(offset + 1);
        if (next < 0) {
          break;
        }
        damages.add(new Damage(name, offset, next - offset, problem));
        offset = next;
      }
    }
    return true;
  }

  private boolean findMarker() throws IOException {
    ByteBuffer head = bytes(0, (int) Math.min(size, FileHeader.BYTES));
    FileHeader header = FileHeader.decode(head).orElse(null);
    if (header != null) {
      marker = header.marker();
      return true;
    }
    problem = "file header";
    if (size < FileHeader.BYTES + FrameLayout.PREFIX) {
      return false;
    }
    // The place of the first frame is fixed, so no payload can pretend to be it.
    marker = bytes(FileHeader.BYTES, Long.BYTES).getLong();
    if (!isIntact(FileHeader.BYTES)) {
      return false;
    }
    damages.add(new Damage(name, 0, FileHeader.BYTES, problem));
    return true;
  }

  private Frame frameAt(long offset) throws IOException, DamagedFrameException {
    if (size - offset < FrameLayout.PREFIX) {
      throw new DamagedFrameException("frame head: cut off");
    }
    ByteBuffer prefix = bytes(offset, FrameLayout.PREFIX);
    if (prefix.getLong() != marker) {
      throw new DamagedFrameException("marker: not that of this file");
    }
    int length = prefix.getInt();
    long available = size - offset - FrameLayout.PREFIX;
    if (length < 2 || length > available) {
      throw new DamagedFrameException("length: " + length + " (expected: 2 to " + available + ")");
    }
    int checksum = prefix.getInt();
    ByteBuffer body = bytes(offset + FrameLayout.PREFIX, length);
    if (FrameLayout.checksum(marker, offset, body) != checksum) {
      throw new DamagedFrameException("checksum: does not match");
    }
    int version = body.get();
    if (version != FrameLayout.VERSION) {
      throw new JournalVersionException(name, version, FrameLayout.VERSION);
    }
    try {
      return FrameLayout.decode(body);
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new DamagedFrameException("source: " + e);
    }
  }

  /** The next offset from here at which an intact frame begins, or -1. */
  private long nextIntact(long from) throws IOException {
    long offset = nextMarker(from);
    while (offset >= 0 && !isIntact(offset)) {
      offset = nextMarker(offset + 1);
    }
    return offset;
  }

  private boolean isIntact(long offset) throws IOException {
    try {
      frameAt(offset);
      return true;
    } catch (DamagedFrameException e) {
      return false;
    }
  }

  private long nextMarker(long from) throws IOException {
    for (long at = from; at + FrameLayout.PREFIX <= size; at += WINDOW - Long.BYTES + 1) {
      int length = (int) Math.min(WINDOW, size - at);
      ByteBuffer part = bytes(at, length);
      int start = part.position();
      for (int i = 0; i <= length - Long.BYTES; i++) {
        if (part.getLong(start + i) == marker) {
          return at + i;
        }
      }
    }
    return -1;
  }

  private ByteBuffer bytes(long offset, int length) throws IOException {
    if (offset < windowAt || offset + length > windowAt + window.limit()) {
      int wanted = (int) Math.min(Math.max(length, WINDOW), size - offset);
      if (wanted > window.capacity() || window.capacity() > 2 * WINDOW) {
        window = ByteBuffer.allocate(wanted);
      }
      window.clear().limit(wanted);
      int read = file.read(window, offset);
      if (read < wanted) {
        throw new IOException(
            String.format("%s: ends at %d (expected: %d bytes)", name, offset + read, size));
      }
      windowAt = offset;
    }
    return window.slice((int) (offset - windowAt), length);
  }

  long size() {
    return size;
  }

  long frames() {
    return frames;
  }

  /** Where the last intact frame ends. */
  long intactEnd() {
    return intactEnd;
  }

  /** What lies before an intact frame and is none. */
  List<Damage> damages() {
    return damages;
  }

  /** What is wrong after {@link #intactEnd}, if anything is there. */
  String problem() {
    return problem;
  }
}
