package io.rollscope.formats.compressed;

/**
 * Where a frame begins, or the file ends after a whole one.
 *
 * @param packed offset in the file
 * @param unpacked offset in what the file holds
 */
public record FrameBegin(long packed, long unpacked) {
  public static final FrameBegin OF_FILE = new FrameBegin(0, 0);
}
