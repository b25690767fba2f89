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
import java.util.regex.Pattern;

/**
 * {@code <data>/token}: where the command line on the same machine finds the token. Only its owner
 * may read it.
 */
public final class TokenFile {
  private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]{1,1000}");

  private final Path file;

  public TokenFile(Path data) {
    this.file = data.resolve("token");
  }

  /** Whether it can be sent in a header. */
  public static boolean isValid(String token) {
    return TOKEN.matcher(token).matches();
  }

  /** The token given, else the one of an earlier start, else a new one; it is in the file now. */
  public String keep(String given) throws IOException {
    String token = given == null ? read().orElseGet(Secret::random) : given;
    write(token);
    return token;
  }

  private Optional<String> read() throws IOException {
    try {
      return Optional.of(Files.readString(file).strip()).filter(TokenFile::isValid);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private void write(String token) throws IOException {
    Path fresh = Files.createTempFile(file.getParent(), "token", ".new", ownerOnly());
    try {
      Files.writeString(fresh, token + "\n");
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
