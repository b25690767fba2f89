package io.rollscope.formats.output;

import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Collection;

/**
 * Where a conversion writes. A file is written under a temporary name in the same folder and takes
 * its place when it is whole and on disk; whatever goes wrong before, the old file stays.
 *
 * <pre>{@code
 * try (OutputFile out = OutputFile.at(path, inputs)) {
 *   converter.convert(inputs, out);
 *   out.commit();
 * }
 * }</pre>
 */
public final class OutputFile implements Closeable {
  private final OutputStream stream;
  private final FileChannel channel;
  private final Path temporary;
  private final Path target;
  private boolean committed;

  private OutputFile(OutputStream stream, FileChannel channel, Path temporary, Path target) {
    this.stream = stream;
    this.channel = channel;
    this.temporary = temporary;
    this.target = target;
  }

  /**
   * A file. Its folders are made if missing.
   *
   * @param inputs files that must not be overwritten, by whatever name or link
   * @throws IllegalArgumentException if it is one of the inputs, or a folder
   */
  public static OutputFile at(Path path, Collection<Path> inputs) throws IOException {
    refuseInput(path, inputs);
    if (Files.isDirectory(path)) {
      throw new IllegalArgumentException("output: " + path + " (expected: a file, not a folder)");
    }
    refuseForeignLink(path);
    // Through a link the file it leads to is written; the link stays.
    Path target =
        Files.exists(path, LinkOption.NOFOLLOW_LINKS) && Files.exists(path)
            ? path.toRealPath()
            : path.toAbsolutePath();
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      // A device or a pipe: nothing that could be replaced by renaming.
      return new OutputFile(Files.newOutputStream(target), null, null, target);
    }
    Files.createDirectories(target.getParent());
    String unique = ProcessHandle.current().pid() + "-" + System.nanoTime();
    Path temporary = target.resolveSibling("." + target.getFileName() + "." + unique + ".tmp");
    FileChannel channel =
        FileChannel.open(temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    // Covers Ctrl+C, which runs no finally block.
    temporary.toFile().deleteOnExit();
    return new OutputFile(Channels.newOutputStream(channel), channel, temporary, target);
  }

  /** Standard output. */
  public static OutputFile standardOut() {
    return to(new FileOutputStream(FileDescriptor.out));
  }

  /** A stream, which stays open. */
  public static OutputFile to(OutputStream stream) {
    return new OutputFile(stream, null, null, null);
  }

  /**
   * Makes sure that the path is none of the inputs, also not through a symbolic or hard link.
   *
   * @throws IllegalArgumentException if it is
   */
  public static void refuseInput(Path path, Collection<Path> inputs) throws IOException {
    for (Path input : inputs) {
      boolean same = path.toAbsolutePath().normalize().equals(input.toAbsolutePath().normalize());
      if (same || (Files.exists(path) && Files.exists(input) && Files.isSameFile(path, input))) {
        throw new IllegalArgumentException(
            "output: " + path + " (expected: not one of the inputs)");
      }
    }
  }

  /** A link that somebody else has put into a folder for all could lead to any file of ours. */
  private static void refuseForeignLink(Path path) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (!Files.isSymbolicLink(path) || !isForAll(folder)) {
      return;
    }
    UserPrincipal owner = Files.getOwner(path, LinkOption.NOFOLLOW_LINKS);
    boolean ours = owner.getName().equals(System.getProperty("user.name"));
    if (!ours && !owner.equals(Files.getOwner(folder))) {
      throw new IllegalArgumentException(
          "output: " + path + " (expected: not a link of another user, in a folder for all)");
    }
  }

  private static boolean isForAll(Path folder) throws IOException {
    return Files.getFileStore(folder).supportsFileAttributeView(PosixFileAttributeView.class)
        && Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_WRITE);
  }

  /** Where to write; not buffered. */
  public OutputStream stream() {
    return stream;
  }

  /** A folder with room for what does not fit into memory: that of the output. */
  public Path scratchFolder() {
    Path folder = temporary == null ? null : temporary.getParent();
    return folder != null ? folder : Path.of(System.getProperty("java.io.tmpdir"));
  }

  /** Puts the finished file in its place. */
  public void commit() throws IOException {
    stream.flush();
    if (channel != null) {
      channel.force(true);
      channel.close();
      Files.move(
          temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
    committed = true;
  }

  /** Removes what was written unless it was committed. */
  @Override
  public void close() throws IOException {
    try {
      if (target != null) {
        stream.close();
      }
    } finally {
      if (temporary != null && !committed) {
        Files.deleteIfExists(temporary);
      }
    }
  }
}
