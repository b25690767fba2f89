package io.rollscope.server.access;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/** A file with one line that only its owner may read. */
final class SecretFile {
  private final Path file;

  SecretFile(Path file) {
    this.file = file;
  }

  Optional<String> read() throws IOException {
    try {
      return Optional.of(Files.readString(file).strip());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  void write(String secret) throws IOException {
    String name = file.getFileName().toString();
    Path fresh = Files.createTempFile(file.getParent(), name, ".new", ownerOnly());
    try {
      Files.writeString(fresh, secret + "\n");
      Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private static FileAttribute<?>[] ownerOnly() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
