package io.rollscope.cli.process;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Makes files and folders of a data folder, which only their owner may read. */
final class PrivateFiles {
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private PrivateFiles() {}

  static void createFolders(Path folder) throws IOException {
    Files.createDirectories(folder, mode("rwx------"));
  }

  /** Makes an empty file, unless there is one. */
  static void create(Path file) throws IOException {
    try {
      Files.createFile(file, mode("rw-------"));
    } catch (FileAlreadyExistsException e) {
      // It keeps the mode it has.
    }
  }

  private static FileAttribute<?>[] mode(String mode) {
    return POSIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
        }
        : new FileAttribute<?>[0];
  }
}
