package io.rollscope.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;

/** Standard output that remembers why writing failed, which a {@link PrintStream} does not tell. */
final class StandardOut extends OutputStream {
  private final OutputStream target = new FileOutputStream(FileDescriptor.out);
  private IOException failure;

  /** Makes {@link System#out} write through this from now on. */
  static StandardOut install() {
    StandardOut out = new StandardOut();
    String encoding = System.getProperty("stdout.encoding");
    Charset charset = encoding == null ? Charset.defaultCharset() : Charset.forName(encoding);
    System.setOut(new PrintStream(new BufferedOutputStream(out), false, charset));
    return out;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      target.write(bytes, offset, length);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  /** What went wrong, or null. That a reader has seen enough and left is nothing wrong. */
  synchronized String complaint() {
    System.out.flush();
    boolean left = failure != null && String.valueOf(failure.getMessage()).contains("Broken pipe");
    return failure == null || left ? null : failure.getMessage();
  }
}
