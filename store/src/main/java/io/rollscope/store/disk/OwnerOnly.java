package io.rollscope.store.disk;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Files and folders that only their owner may read: what is collected is nobody else's business.
 */
public final class OwnerOnly {
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private OwnerOnly() {}

  /** For files that are created. */
  public static FileAttribute<?>[] file() {
    return attributes("rw-------");
  }

  /** For folders that are created. */
  public static FileAttribute<?>[] folder() {
    return attributes("rwx------");
  }

  private static FileAttribute<?>[] attributes(String mode) {
    return POSIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
        }
        : new FileAttribute<?>[0];
  }

  /** Says so if others may read a folder. It stays as it is: somebody may want it so. */
  public static void warn(Path folder) throws IOException {
    if (!POSIX) {
      return;
    }
    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(folder);
    if (mode.contains(PosixFilePermission.GROUP_READ)
        || mode.contains(PosixFilePermission.OTHERS_READ)) {
      System.err.println(
          "rollscope: "
              + folder
              + " can be read by other users: mode "
              + PosixFilePermissions.toString(mode)
              + " (expected: rwx------; chmod 700)");
    }
  }
}
