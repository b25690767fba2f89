package io.rollscope.store;

import io.rollscope.store.segment.Views;
import io.rollscope.store.sql.SqlSnapshot;
import io.rollscope.store.sql.SqlSnapshots;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.List;

/**
 * Copies of the hot rows as files, for users' SQL, which runs in other processes. A copy is written
 * when somebody asks and the one before is too old; it goes when there is a newer one, or nobody
 * has asked for long, and no query reads it.
 */
final class HotRowFiles implements SqlSnapshots, Closeable {
  /** In the data folder; what a crash left there goes when it is used again. */
  static final String FOLDER = "tmp-sql";

  private final LiveSnapshots snapshots;
  private final Path segments;
  private final Path folder;
  private boolean prepared;
  private Copy newest;

  /** One copy; guarded by the outer object. */
  private static final class Copy {
    final long number;
    final Path folder;
    int readers;

    Copy(long number, Path folder) {
      this.number = number;
      this.folder = folder;
    }
  }

  HotRowFiles(LiveSnapshots snapshots, Path segments, Path data) {
    this.snapshots = snapshots;
    this.segments = segments;
    this.folder = data.resolve(FOLDER);
  }

  /** For what else belongs to users' SQL and to nobody else. */
  @Override
  public synchronized Path folder() throws SQLException {
    prepare();
    return folder;
  }

  @Override
  public synchronized SqlSnapshot take() throws SQLException {
    prepare();
    try (LiveSnapshots.Held held = snapshots.hold()) {
      Views.State state = held.state();
      if (newest == null || newest.number != state.copy()) {
        write(state);
      }
      Copy copy = newest;
      String definitions = snapshots.views().definitions(state, copy.folder);
      copy.readers++;
      return new SqlSnapshot(definitions, () -> release(copy));
    }
  }

  private void write(Views.State state) throws SQLException {
    Path fresh = folder.resolve("rows").resolve(String.valueOf(state.copy()));
    try {
      Files.createDirectories(fresh);
      snapshots.views().export(state, fresh);
    } catch (IOException e) {
      throw new SQLException("sql: " + fresh + ": cannot be written: " + e.getMessage(), e);
    } catch (SQLException e) {
      delete(fresh);
      throw e;
    }
    Copy before = newest;
    newest = new Copy(state.copy(), fresh);
    removeUnused(before);
  }

  private synchronized void release(Copy copy) {
    copy.readers--;
    removeUnused(copy);
  }

  private void removeUnused(Copy copy) {
    if (copy != null && copy != newest && copy.readers == 0) {
      delete(copy.folder);
    }
  }

  @Override
  public synchronized void trim() {
    Copy before = newest;
    newest = null;
    removeUnused(before);
  }

  @Override
  public List<Path> folders() {
    return List.of(segments, folder.resolve("rows"));
  }

  private void prepare() throws SQLException {
    if (prepared) {
      return;
    }
    try {
      delete(folder);
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Files.createDirectory(folder.resolve("rows"));
      prepared = true;
    } catch (IOException e) {
      throw new SQLException("sql: " + folder + ": cannot be made: " + e.getMessage(), e);
    }
  }

  /** What cannot be deleted goes when the folder is used again. */
  private static void delete(Path tree) {
    try {
      Files.walkFileTree(
          tree,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException failure)
                throws IOException {
              Files.delete(visited);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (NoSuchFileException e) {
      // Nothing to delete.
    } catch (IOException e) {
      tree.toFile().deleteOnExit();
    }
  }

  @Override
  public synchronized void close() {
    if (prepared) {
      delete(folder);
      prepared = false;
    }
  }
}
