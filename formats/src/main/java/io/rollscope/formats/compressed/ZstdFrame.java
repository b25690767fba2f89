package io.rollscope.formats.compressed;

import com.github.luben.zstd.RecyclingBufferPool;
import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.IOException;

/** A frame of a zstd file (RFC 8878). Where it ends is told from the headers of its blocks. */
final class ZstdFrame implements Frame {
  private static final long MAGIC = 0xFD2FB528L;
  private static final long SKIPPABLE = 0x184D2A50L;
  private static final int[] CONTENT_SIZE = {0, 2, 4, 8};
  private static final int[] DICTIONARY_ID = {0, 1, 2, 4};
  private static final int REPEATED = 1;
  private static final int RESERVED = 3;

  private final long begin;
  private final long end;
  private final ZstdInputStreamNoFinalizer content;

  ZstdFrame(PackedInput in) throws IOException {
    begin = in.position();
    long magic = in.number(4);
    boolean skipped = isSkippable(magic);
    if (magic >= 0 && magic != MAGIC && !skipped) {
      throw damaged("no zstd frame");
    }
    long to = magic < 0 ? -1 : skipped ? endOfSkippable(in) : endOfFrame(in);
    end = to > in.limit() ? -1 : to;
    content = magic == MAGIC ? open(in.part(begin, end < 0 ? in.limit() : end)) : null;
  }

  static boolean isMagic(byte[] head) {
    long magic = 0;
    for (int i = 3; i >= 0; i--) {
      magic = magic << 8 | (head[i] & 0xff);
    }
    return magic == MAGIC || isSkippable(magic);
  }

  private static boolean isSkippable(long magic) {
    return (magic & ~0xfL) == SKIPPABLE;
  }

  private static long endOfSkippable(PackedInput in) throws IOException {
    long length = in.number(4);
    return length < 0 ? -1 : in.position() + length;
  }

  /** Where the frame ends whose magic number was read; -1 if the file ends before. */
  private long endOfFrame(PackedInput in) throws IOException {
    int descriptor = in.read();
    if (descriptor < 0) {
      return -1;
    }
    boolean singleSegment = (descriptor & 0x20) != 0;
    int sizeFlag = descriptor >> 6;
    int header = singleSegment ? 0 : 1;
    header += DICTIONARY_ID[descriptor & 3];
    header += singleSegment && sizeFlag == 0 ? 1 : CONTENT_SIZE[sizeFlag];
    in.seek(in.position() + header);
    boolean isLast = false;
    while (!isLast) {
      long block = in.position() < in.limit() ? in.number(3) : -1;
      if (block < 0) {
        return -1;
      }
      int type = (int) (block >> 1) & 3;
      if (type == RESERVED) {
        throw damaged("a zstd frame that is broken");
      }
      isLast = (block & 1) != 0;
      in.seek(in.position() + (type == REPEATED ? 1 : block >> 3));
    }
    return in.position() + ((descriptor & 4) != 0 ? 4 : 0);
  }

  private ZstdInputStreamNoFinalizer open(PackedInput frame) throws IOException {
    try {
      ZstdInputStreamNoFinalizer opened =
          new ZstdInputStreamNoFinalizer(frame, RecyclingBufferPool.INSTANCE);
      opened.setContinuous(end < 0); // What there is of it can be read.
      return opened;
    } catch (LinkageError e) {
      throw new IOException("zstd cannot be loaded on this machine: " + e.getMessage(), e);
    }
  }

  @Override
  public int read(byte[] to, int from, int length) throws IOException {
    if (content == null) {
      return -1;
    }
    try {
      return content.read(to, from, length);
    } catch (ZstdIOException e) {
      throw damaged("a zstd frame that is broken: " + e.getMessage());
    }
  }

  private DamagedFileException damaged(String what) {
    return new DamagedFileException(begin, what, "a zstd frame or the end of the file");
  }

  @Override
  public long end() {
    return end;
  }

  @Override
  public void close() {
    if (content == null) {
      return;
    }
    try {
      content.close();
    } catch (IOException e) {
      // Nothing is left to close: the file is not its own.
    }
  }
}
