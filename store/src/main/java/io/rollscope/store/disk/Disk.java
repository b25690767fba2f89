package io.rollscope.store.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * File-system access of the store. Every method may fail at any time; callers decide what an error
 * means for what they promised. Nothing is durable before {@link AppendFile#force} for contents and
 * {@link #forceFolder} for names.
 */
public interface Disk {
  /** Creates a folder and its parents, and makes their names durable. */
  void createFolders(Path folder) throws IOException;

  /** Names of the regular files in a folder, sorted. */
  List<String> list(Path folder) throws IOException;

  /** Opens a file for writing at its end, creating it if it does not exist. */
  AppendFile openForAppend(Path file) throws IOException;

  /** Opens an existing file for reading. */
  ReadFile openForRead(Path file) throws IOException;

  /** Gives a file another name in one step, replacing what had that name. */
  void rename(Path from, Path to) throws IOException;

  /** Deletes a file; one that does not exist is no error, so that a deletion can be repeated. */
  void delete(Path file) throws IOException;

  /** Makes files created, renamed and deleted in this folder durable. */
  void forceFolder(Path folder) throws IOException;

  /**
   * Takes a lock that ends with the process, whatever ends it.
   *
   * @param holder written into the file, so that others can say who holds it
   * @throws DiskLockedException if another process, or this one, holds it
   */
  DiskLock lock(Path file, String holder) throws IOException;

  /** Bytes that can still be written to the file system of this folder. */
  long usableSpace(Path folder) throws IOException;
}
